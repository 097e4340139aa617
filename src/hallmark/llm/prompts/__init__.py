"""What is a model told and asked: texts with placeholders, and references as data in them."""
