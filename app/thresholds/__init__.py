"""How sure a Director must be before something is ordered: one page for all matters, over the three codes."""
