"""How each service writes what it holds, one file each."""
