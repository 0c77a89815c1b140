"""A text: its contents, where it is from, and every provision on the page of its law."""
