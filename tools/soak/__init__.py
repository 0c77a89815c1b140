"""Judges a running site from outside, while texts change and everything around it breaks: ``make soak``.

A real ``lexbridge serve`` answers readers all the time, while builds are made, killed and damaged. Every answer is
compared with that of the site opened over the same generation alone.

``run`` and ``hazards`` make things happen. ``load`` has the readers, ``served`` the server and ``built`` its build
folder. ``oracle`` has the right answers, ``judged`` and ``report`` the verdict.
Never imported here: ``index``.
"""
