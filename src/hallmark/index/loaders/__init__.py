"""One loader per dump format."""
