#!/usr/bin/env python3
"""Reads the PGN files of matches with python-chess. Not run by `cargo test`.

    pip install chess
    tests/python/read_pgn.py target/matches/*.pgn

Checks that every move is legal, that all tags are present, that the result is that of the final
position where the rules end the game, and that python-chess logs no warning; otherwise the exit
status is 1. Without python-chess it prints a note and the exit status is 0.
"""

import io
import logging
import re
import sys

try:
    import chess
    import chess.pgn
except ImportError:
    print("skipped: python-chess is not installed")
    sys.exit(0)

COMMENT = re.compile(r"book|([+-](\d+\.\d\d|M\d+)(/\d+)? )?(/\d+ )?\d+\.\d{4}s.*")


def faults(game):
    """Yields a description of each fault of a game."""
    yield from (str(error) for error in game.errors)
    headers = game.headers
    for name in ("Event", "Date", "Round", "White", "Black", "Result", "PlyCount", "Termination"):
        if not headers.get(name):
            yield f"no {name}"
    moves = list(game.mainline())
    if str(len(moves)) != headers.get("PlyCount"):
        yield f"{len(moves)} moves, PlyCount {headers.get('PlyCount')}"
    for node in moves:
        # Comments are wrapped like the moves.
        comment = " ".join(node.comment.split())
        if not COMMENT.fullmatch(comment):
            yield f"unexpected comment: {comment}"
    outcome = game.end().board().outcome(claim_draw=True)
    if headers.get("Termination") == "normal":
        if outcome is None:
            yield "the game is not over"
        elif outcome.result() != headers["Result"]:
            yield f"result {headers['Result']}, by the rules {outcome.result()}"


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    log = io.StringIO()
    logging.getLogger("chess.pgn").addHandler(logging.StreamHandler(log))
    is_clean = True
    for path in sys.argv[1:]:
        games = moves = 0
        with open(path, encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                games += 1
                moves += len(list(game.mainline_moves()))
                for fault in faults(game):
                    is_clean = False
                    print(f"{path}: round {game.headers.get('Round')}: {fault}")
        print(f"{path}: {games} games, {moves} moves")
        is_clean &= games > 0
    for line in log.getvalue().splitlines():
        is_clean = False
        print(f"python-chess: {line}")
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
