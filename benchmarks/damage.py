"""Damages journals, replays and saved games: each is refused with a code, or what it says is exactly what was played.

    python -m benchmarks.damage --count 1000

Bytes are changed, cut out, doubled, lines moved and lost; every third file is forged: a value in it is changed, and
its checksums are made to fit. Whoever forges a file may make another game of it, but never a traceback.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

import cli
from interpreter.machine import Match
from interpreter.records import journal, replay, saves
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

GAME: Final = "pig"
_CODE: Final = re.compile(r"\[R02\d\d\]")
_RESCUE: Final = re.compile(r"--until (\d+) --copy FILE")
_ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    "",
    "\ud800",
    "x" * 50,
    [],
    [[]],
    {},
    {"a": 1},
)


@attrs.frozen
class Verdict:
    """What became of one damaged file.

    Attributes:
        outcome: `refused` with a code, `rescued`: what it still says is what was played, `forged`: another game that
            was made to fit; or `wrong`.
        said: What the program said.
    """

    outcome: str
    said: str


@attrs.frozen
class Originals:
    """A whole game: its journal, its replay, and a saved game of it.

    Attributes:
        folder: Where files are written.
        journal: Content of the journal.
        replay: Content of the replay.
        save: Content of the saved game.
    """

    folder: Path
    journal: bytes
    replay: bytes
    save: bytes


def originals(folder: Path) -> Originals:
    """Play the game whose files are damaged."""
    paths = folder / "whole.journal", folder / "whole.json"
    words = ("--journal", str(paths[0]), "--record", str(paths[1]), "--log", "quiet", "--seed", "3")
    code, said = _run("run", GAME, *words)
    if code:
        raise RuntimeError(said)
    match = Match(load_ruleset(GAME), seed=3, checks=True, optimise=False)
    match.next()
    return Originals(folder, paths[0].read_bytes(), paths[1].read_bytes(), match.save().encode())


def damaged(whole: bytes, rng: Random) -> bytes:
    """Change, cut out, double or move something."""
    lines = whole.splitlines(keepends=True)
    one, other = sorted((rng.randrange(len(whole)), rng.randrange(len(whole))))
    match rng.randrange(6):
        case 0:
            return whole[:one] + bytes([rng.randrange(256)]) + whole[one + 1 :]
        case 1:
            return whole[:one] + whole[other:]
        case 2:
            return whole[:other] + whole[one:]
        case 3:
            rng.shuffle(lines)
            return b"".join(lines)
        case 4:
            del lines[rng.randrange(len(lines))]
            return b"".join(lines)
        case _:
            return whole[:one]


def changed(content: Any, rng: Random) -> Any:  # noqa: ANN401 - JSON
    """Change one value somewhere in JSON."""
    if isinstance(content, dict) and content and rng.random() < 0.9:
        key = rng.choice(sorted(content))
        if rng.random() < 0.1:
            return {name: value for name, value in content.items() if name != key}
        return {**content, key: changed(content[key], rng)}
    if isinstance(content, list) and content and rng.random() < 0.9:
        at = rng.randrange(len(content))
        return [*content[:at], changed(content[at], rng), *content[at + 1 :]]
    if isinstance(content, int) and rng.random() < 0.5:
        return content + rng.choice((-1, 1))
    return rng.choice(_ODD)


def forged_journal(whole: bytes, rng: Random) -> bytes:
    """Change a value in a line, and make all checksums fit."""
    bodies = [line.partition(" ")[2] for line in whole.decode().splitlines()]
    at = rng.randrange(len(bodies))
    bodies[at] = json.dumps(changed(json.loads(bodies[at]), rng))
    before = ""
    lines = []
    for body in bodies:
        before = blake2b(f"{before} {body}".encode(), digest_size=8).hexdigest()
        lines.append(f"{before} {body}\n")
    return "".join(lines).encode()


def forged_replay(whole: bytes, rng: Random) -> bytes:
    """Change a value."""
    return json.dumps(changed(json.loads(whole), rng)).encode()


def forged_save(whole: bytes, rng: Random) -> bytes:
    """Change a value, and make the checksum fit."""
    content = changed(json.loads(whole), rng)
    if isinstance(content, dict):
        content["checksum"] = saves.checksum(content)
    return json.dumps(content).encode()


def try_journal(of: Originals, content: bytes, *, forged: bool) -> Verdict:
    """Play on from it, or rescue what can be rescued: the game must end as it did."""
    path, copy = of.folder / "evening.journal", of.folder / "copy.journal"
    copy.unlink(missing_ok=True)
    path.write_bytes(content)
    code, said = _run("resume", str(path), "--game", GAME, "--log", "quiet")
    found = _RESCUE.search(said)
    if code == 2 and found is not None and _CODE.search(said) and "line " in said:
        again = ("--until", found[1], "--copy", str(copy), "--game", GAME, "--log", "quiet")
        code, more = _run("resume", str(path), *again)
        if code and not (_CODE.search(more) or "was held by a program" in more):
            return Verdict("wrong", said + more)
        if code:
            return Verdict("refused", said + more)
        path, said = copy, said + more
    same = code == 0 and _played(path) == _played_in(of.journal)
    return _verdict(code, said, same=same, forged=forged)


def try_replay(of: Originals, content: bytes, *, forged: bool) -> Verdict:
    """Play it again: it agrees only if it says what was played."""
    path = of.folder / "evening.json"
    path.write_bytes(content)
    code, said = _run("replay", str(path), "--game", GAME)
    same = (
        code == 0
        and replay.loads(content.decode()).answers == replay.loads(of.replay.decode()).answers
    )
    return _verdict(code, said, same=same, forged=forged)


def try_save(of: Originals, content: bytes, *, forged: bool) -> Verdict:
    """Ask something of its position, which must be that which was saved."""
    path = of.folder / "noon.save"
    path.write_bytes(content)
    code, said = _run("why", GAME, "2 + 2", "--at", str(path))
    same = code == 0 and saves.loads(content.decode()) == saves.loads(of.save.decode())
    return _verdict(code, said, same=same, forged=forged)


def _verdict(code: int, said: str, *, same: bool, forged: bool) -> Verdict:
    if code == 0:
        return Verdict("rescued" if same else "forged" if forged else "wrong", said)
    told = _CODE.search(said) is not None or (forged and code != cli.ExitCode.INTERNAL)
    return Verdict("refused" if told else "wrong", f"exit code {code}: {said}")


def _played(path: Path) -> object:
    return [(each.path, each.seat, each.answer) for each in journal.read(path).answers]


def _played_in(content: bytes) -> object:
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return _played(Path(file.name))


def _run(*words: str) -> tuple[int, str]:
    """Run a command in this process; give its exit code and all that it says."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = cli.run_command_line(words)
    return code, said.getvalue()


KINDS: Final[
    dict[
        str,
        tuple[
            Callable[[Originals], bytes],
            Callable[[bytes, Random], bytes],
            Callable[..., Verdict],
        ],
    ]
] = {
    "journals": (lambda of: of.journal, forged_journal, try_journal),
    "replays": (lambda of: of.replay, forged_replay, try_replay),
    "saves": (lambda of: of.save, forged_save, try_save),
}


def verdict(of: Originals, kind: str, seed: int) -> Verdict:
    """Damage or forge one file, and see what becomes of it."""
    content, forge, attempt = KINDS[kind]
    rng = Random(f"{kind}/{seed}")
    forged = seed % 3 == 0
    return attempt(of, (forge if forged else damaged)(content(of), rng), forged=forged)


@click.command()
@click.option("--count", default=1000, show_default=True, help="Files of each kind.")
@click.option("--first", default=0, help="Number of the first.")
def main(count: int, first: int) -> None:
    """Damage files and count what becomes of them."""
    with tempfile.TemporaryDirectory() as folder:
        of = originals(Path(folder))
        for kind in KINDS:
            counts: dict[str, int] = {}
            for seed in range(first, first + count):
                found = verdict(of, kind, seed)
                counts[found.outcome] = counts.get(found.outcome, 0) + 1
                if found.outcome == "wrong":
                    print(f"{kind} {seed}: {found.said}")
            print(f"{count} {kind}: {counts}", flush=True)


if __name__ == "__main__":
    main()
