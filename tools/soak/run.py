"""A run: texts, builds and a server, with what the hazards do to them and expect of them."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tools.soak.built import BuildFolder, BuildResult
from tools.soak.served import ServerProcess
from tools.soak.texts import MarkedTexts

DETECTION_SECONDS = 1.0  # seconds in which a server notices that something else is current
T = TypeVar("T")


@dataclass
class SoakRun:
    """What a hazard acts on.

    - ``faults``: what was wrong, in sentences.
    - ``took``: seconds of the last complete build.
    - ``waits``: seconds until all workers had taken each generation.
    - ``thorough``: there is time for every way of a hazard.
    """

    texts: MarkedTexts
    built: BuildFolder
    served: ServerProcess
    rng: random.Random
    number: int = 0
    took: float = 0.0
    faults: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    thorough: bool = True

    def select_ways(self, ways: Sequence[T], few: int) -> Sequence[T]:
        """Return all of the ways, or ``few`` of them where the run is not thorough."""
        return ways if self.thorough else sorted(self.rng.sample(ways, min(few, len(ways))), key=ways.index)

    def record_fault(self, sentence: str) -> None:
        """Record a sentence that says what was wrong."""
        self.faults.append(sentence)

    def change_texts(self) -> None:
        """Change words of the texts; build nothing."""
        self.number += 1
        self.texts.change_marks(self.number)

    def rebuild(self) -> BuildResult:
        """Change words, build and publish, and wait until all workers serve the new generation. Return the result of
        the build.
        """
        self.change_texts()
        before = self.built.current
        done = self.built.build()
        self.took = done.seconds
        if done.code or self.built.current == before:
            self.record_fault(
                f"A build after words had changed ended with {done.code} and published nothing:\n{done.said}"
            )
        else:
            self.wait_until_taken()
        if odd := self.built.find_debris():
            self.record_fault(f"After a build there stand in its folder: {', '.join(odd)}.")
        return done

    def rebuild_if_thorough(self) -> None:
        """Rebuild where the run is thorough, to see that the next build works."""
        if self.thorough:
            self.rebuild()

    def wait_until_taken(self) -> None:
        """Wait until all workers answer with what is current."""
        self.waits.append(self.served.wait_until_taken(self.built.current))

    def expect_no_change(self) -> None:
        """Record a fault if a worker takes the generation to which ``current`` points now: every worker must go on
        answering with the generation that it had.
        """
        had = self.served.health()
        # Longer than a server needs to notice and open a generation.
        end = time.monotonic() + DETECTION_SECONDS + 1.5 * max(self.waits, default=0)
        while time.monotonic() < end:
            now = self.served.health()
            if now != had:
                self.record_fault(f"/healthz answers {now[0]} {now[1][:16]} where it answered {had[0]} {had[1][:16]}.")
                return
            time.sleep(0.05)
