"""One file per group of checks: (reference, evidence, reading, policy) -> charges."""
