"""Corrected entries: the file as it was, with only the wrong fields changed."""
