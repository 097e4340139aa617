"""References as printed: plain text in the usual styles, read into fields."""
