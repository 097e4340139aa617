"""What the public services say of references that the local index leaves open."""
