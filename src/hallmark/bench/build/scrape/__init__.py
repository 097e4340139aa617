"""How do real works come from the live sources into a file that plans sample from?"""
