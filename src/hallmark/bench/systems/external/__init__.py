"""Which tools of others can be scored, how are they called, and what do their answers mean?"""
