"""Who knows the truth, live: the public bibliographic services, one file each."""
