"""Intervals, tests, power, agreement and rankings, each in its own module."""
