"""The pages of an edition: its contents, where its text is from, and every provision on the page of its law."""
