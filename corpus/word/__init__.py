"""Words as they are compared: ``token`` what is one word of a text, ``lists`` the lists of ``words/``.

Forms and lemmas of a language, look-alikes, words of every day: terms of the laws are found with them, and so is what
is searched.
"""
