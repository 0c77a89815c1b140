"""Pages that are rendered when a generation is built."""
