"""The index of the site: what the printed subject index names, carried to every edition."""
