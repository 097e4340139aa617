"""Finds fabricated and corrupted citations, and measures the tools that claim to."""
