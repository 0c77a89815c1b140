"""How the laws refer to each other."""
