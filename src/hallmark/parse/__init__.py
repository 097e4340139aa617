"""Text to references: one file per input format."""
