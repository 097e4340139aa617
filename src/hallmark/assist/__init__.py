"""What a language model may add to a verdict, and what it may not."""
