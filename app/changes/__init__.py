"""What changed from one edition to another."""
