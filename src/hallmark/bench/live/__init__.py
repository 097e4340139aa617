"""How are studies of language models run live, in the layout of released predictions?"""
