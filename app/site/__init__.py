"""What the pages share: addresses, the reader's language, HTTP, the snapshot, words of the site, drawing of texts."""
