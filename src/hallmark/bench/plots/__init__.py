"""Which figures can be drawn of verifiers?"""
