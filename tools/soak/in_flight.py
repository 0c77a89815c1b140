"""Sends requests while a server is told to stop: every request that was sent must be answered."""

from __future__ import annotations

import http.client
import threading
import time

from tools.soak.served import ServerProcess

SEND_SECONDS = 0.03  # seconds after which requests have reached the server


class InFlightRequests:
    """Requests that are sent while a server stops, one for each address. ``answered``: the status of each, 0 where
    there was no answer.
    """

    def __init__(self, served: ServerProcess, addresses: list[str]):
        self.answered: list[int] = []
        self._threads = [threading.Thread(target=self._ask, args=(served, address)) for address in addresses]

    def _ask(self, served: ServerProcess, address: str) -> None:
        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
        try:
            line.request("GET", address)
            answer = line.getresponse()
            answer.read()
            self.answered.append(answer.status)
        except (OSError, http.client.HTTPException):
            self.answered.append(0)

    def stop_server(self, served: ServerProcess) -> int:
        """Send the requests, tell the server to stop, wait for both; return its exit code."""
        for thread in self._threads:
            thread.start()
        time.sleep(SEND_SECONDS)
        code = served.stop()
        for thread in self._threads:
            thread.join()
        return code
