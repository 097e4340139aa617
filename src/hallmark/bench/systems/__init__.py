"""Everything that can be scored: a table of specifications and one adapter per kind."""
