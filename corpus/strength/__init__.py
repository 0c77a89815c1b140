"""The strength of words: what an edition's introduction says of “may”, “should”, “must”, and where its words stand.

``editions/<id>/strength.toml`` holds the scale of that introduction, in its own words. An edition without one has no
scale, and no word of it is marked: nothing is taken over from another text, whose words may rank otherwise.
"""

from corpus.strength.model import Scale, Step
from corpus.strength.read import FILE, attach

__all__ = ["FILE", "Scale", "Step", "attach"]
