"""What happened at the table: the list of situations, and the sheet that leads from questions to the remedy."""
