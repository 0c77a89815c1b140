"""What one takes away from a provision: its citation, a card."""
