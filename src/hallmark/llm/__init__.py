"""Asking language models: providers, prompts, answers, caps, kept replies."""
