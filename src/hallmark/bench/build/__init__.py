"""How is a benchmark made of real records, so that anyone can make it again, byte for byte?"""
