"""How do people write citations that are right?"""
