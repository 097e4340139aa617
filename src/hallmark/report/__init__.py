"""Verdicts to text: one file per output format."""
