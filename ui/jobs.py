"""Jobs: work in its own thread, which a page starts, watches and stops. It ends when no page watches it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bpe import BPEError

ABANDONED = 60.0  # seconds without a look after which a job ends, as its tab was closed


@dataclass(slots=True)
class Job:
    """One piece of work. `problem` is the sentence that says why it failed, `ended` is set when it is over."""

    patience: float = ABANDONED
    problem: str = ""
    started: bool = False
    ended: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)
    _last_look: float = 0.0

    def start(self, work: Callable[[], None], name: str) -> None:
        """Do the work in a thread of this name. The work returns soon after `must_end` is true; it can start again."""
        self._stop.clear()
        self.ended.clear()
        self.problem = ""
        self.started = True
        self.look()
        threading.Thread(target=self._run, args=(work,), daemon=True, name=name).start()

    def look(self) -> None:
        """Record that a page is watching, so that the job goes on."""
        self._last_look = time.monotonic()

    def stop(self) -> None:
        """Ask the work to end."""
        self._stop.set()

    @property
    def is_stopped(self) -> bool:
        """Whether the work was asked to end."""
        return self._stop.is_set()

    @property
    def must_end(self) -> bool:
        """Whether the work must return: it was stopped, or no page has looked for longer than `patience`."""
        return self._stop.is_set() or time.monotonic() - self._last_look > self.patience

    @property
    def is_running(self) -> bool:
        """Whether the work has started and not ended."""
        return self.started and not self.ended.is_set()

    def _run(self, work: Callable[[], None]) -> None:
        """Run the work. This is called in the thread, where Streamlit must not be used."""
        try:
            work()
        except BPEError as error:
            self.problem = str(error)
        except MemoryError:
            self.problem = (
                "This training does not fit into this computer's memory: use a shorter text or fewer merges."
            )
        finally:
            self.ended.set()
