"""Citations invented by language models: prompts, replies as they came, and their screen."""
