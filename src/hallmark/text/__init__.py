"""Pure functions from text to text."""
