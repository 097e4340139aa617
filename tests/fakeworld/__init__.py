"""A world of bibliographic services on loopback, for tests and demonstrations."""
