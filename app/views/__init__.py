"""One module per kind of page; each turns a request into a page model and a page model into an answer."""
