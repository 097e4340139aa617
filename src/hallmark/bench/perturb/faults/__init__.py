"""Which perturbations are there? One file for each type; `interface.load_all` imports them."""
