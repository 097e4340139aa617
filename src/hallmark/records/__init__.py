"""Frozen values: what is claimed, what is held, what was found. No I/O, no clock."""
