"""Studies of our own verifier on labelled references: errors, labels, ablations, noise, fits."""
