"""What the pages share: addresses, the reader, delivery, state, wording, the drawing of provisions."""
