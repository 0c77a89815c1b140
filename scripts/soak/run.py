"""A run: texts, builds and a server, with what every hazard does to them and expects of them."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from scripts.soak.built import Built, Done
from scripts.soak.served import Served
from scripts.soak.texts import Texts

LOOKED = 1.0  # seconds in which a server has seen that something else is current
T = TypeVar("T")


@dataclass
class Run:
    """What a hazard acts on. ``faults``: what was wrong, in sentences · ``took``: seconds of the last whole build ·
    ``waits``: seconds until each generation was taken by all workers · ``thorough``: there is time for every way.
    """

    texts: Texts
    built: Built
    served: Served
    chosen: random.Random
    number: int = 0
    took: float = 0.0
    faults: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    thorough: bool = True

    def some(self, ways: Sequence[T], few: int) -> Sequence[T]:
        """All of the ways, or a few of them where there is no time for more."""
        return ways if self.thorough else sorted(self.chosen.sample(ways, min(few, len(ways))), key=ways.index)

    def fault(self, sentence: str) -> None:
        """Write down what was wrong."""
        self.faults.append(sentence)

    def changed(self) -> None:
        """Words of the texts change; nothing is built."""
        self.number += 1
        self.texts.change(self.number)

    def rebuilt(self) -> Done:
        """Words change, a build is made, published and taken."""
        self.changed()
        before = self.built.current
        done = self.built.build()
        self.took = done.seconds
        if done.code or self.built.current == before:
            self.fault(f"A build after words had changed ended with {done.code} and published nothing:\n{done.said}")
        else:
            self.taken()
        if odd := self.built.debris():
            self.fault(f"After a build there stand in its folder: {', '.join(odd)}.")
        return done

    def goes_on(self) -> None:
        """Where there is time: the next build is as any other."""
        if self.thorough:
            self.rebuilt()

    def taken(self) -> None:
        """All workers answer with what is current."""
        self.waits.append(self.served.taken(self.built.current))

    def stays(self) -> None:
        """Nothing that lies there now is taken: every worker answers with what it had."""
        had = self.served.health()
        # Longer than it takes to open what would be taken.
        end = time.monotonic() + LOOKED + 1.5 * max(self.waits, default=0)
        while time.monotonic() < end:
            now = self.served.health()
            if now != had:
                self.fault(f"/healthz answers {now[0]} {now[1][:16]} where it answered {had[0]} {had[1][:16]}.")
                return
            time.sleep(0.05)
