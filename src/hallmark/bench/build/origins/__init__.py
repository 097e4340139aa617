"""Entries that come from elsewhere than perturbation: models, incidents, hand-coded corpora."""
