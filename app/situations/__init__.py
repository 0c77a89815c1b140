"""Situations at the table: the list, and the sheet that leads from questions to the remedy."""
