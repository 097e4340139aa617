"""Evidence x Policy -> Verdict, pure."""
