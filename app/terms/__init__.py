"""The terms of the laws: all of them in the order of a language, and a page for each."""
