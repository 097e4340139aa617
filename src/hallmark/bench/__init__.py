"""The benchmark: entries, one protocol, statistics, systems and studies."""
