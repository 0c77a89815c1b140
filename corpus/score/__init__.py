"""Scores by the laws: the figures that the texts print, the rules of each code, and what follows from them."""
