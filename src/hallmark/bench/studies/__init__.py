"""How do the tables of the paper follow from data files?"""
