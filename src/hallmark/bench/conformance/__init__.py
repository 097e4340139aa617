"""Does a system keep to what every checker of citations must keep to, on a handful of entries?"""
