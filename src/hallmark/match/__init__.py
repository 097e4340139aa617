"""Reference x Work -> field comparisons, pure."""
