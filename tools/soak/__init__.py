"""Judges a running site from outside, while texts change and everything around it breaks: ``make soak``.

A real ``lexbridge serve`` answers readers all the time; beside them builds are made, killed and spoiled. Every answer
is compared with what the generation that it names says, asked of that generation alone.
Never imported here: ``index``.
"""
