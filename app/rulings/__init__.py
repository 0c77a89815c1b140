"""What bodies ruled: all rulings, a body with its own, one of them, and the feed."""
