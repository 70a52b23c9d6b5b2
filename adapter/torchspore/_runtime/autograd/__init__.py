"""The engine: what is recorded, and what runs backwards through it."""
