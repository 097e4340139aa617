"""How is a split scored whose labels nobody may see?"""
