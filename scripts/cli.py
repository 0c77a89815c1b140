"""The ``lexbridge`` command: the group of all commands, and where each is defined.

The module of a command is imported when the command is called, because a server should not wait for what only a check
needs.
"""

from __future__ import annotations

from importlib import import_module

import click

# Command → where it is defined: module and function.
COMMANDS = {
    "audit": "scripts.commands:audit",
    "build": "scripts.build:build",
    "check": "scripts.commands:check",
    "evaluate": "scripts.evaluate:evaluate",
    "export": "scripts.commands:export",
    "index": "scripts.build:index",
    "ingest": "scripts.build:ingest",
    "inventory": "scripts.commands:inventory",
    "new": "scripts.editions:new_edition",
    "outline": "scripts.outline:outline",
    "propose": "scripts.editions:propose",
    "review": "scripts.commands:review",
    "search": "scripts.commands:search",
    "serve": "scripts.serve:serve",
    "told": "scripts.evaluate_situations:evaluate_situations",
    "verify": "scripts.commands:verify",
}


class LazyGroup(click.Group):
    """A group that imports a command of :data:`COMMANDS` when it is called, or when its help is shown."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 – click passes it
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, or None when there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command


@click.group(cls=LazyGroup)
def main() -> None:
    """Lexbridge: the Laws of Duplicate Bridge, searched, followed and compared."""


if __name__ == "__main__":
    main()
