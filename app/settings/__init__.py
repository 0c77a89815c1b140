"""What a reader chooses for all pages: the language of the site, the theme, the size of the letters."""
