#!/usr/bin/env python3
"""Counts the positions of a test suite (EPD) that a UCI engine solves. Not run by `cargo test`.

    pip install chess
    tests/python/solve_suite.py SUITE.epd 100 target/release/koel /usr/games/stockfish

The number is the time for each position in milliseconds; each engine has one thread and 16 MiB.
"""

import sys

import chess
import chess.engine


def solved(engine, board, operations, limit):
    """Returns true if the engine's move is a best one, or none to avoid."""
    move = engine.play(board, limit, game=object()).move
    return move not in operations["am"] if "am" in operations else move in operations["bm"]


def main():
    suite, milliseconds, *programs = sys.argv[1:]
    limit = chess.engine.Limit(time=int(milliseconds) / 1000)
    with open(suite, encoding="utf-8") as lines:
        positions = [chess.Board.from_epd(line) for line in lines if line.strip()]
    positions = [(b, o) for b, o in positions if "bm" in o or "am" in o]
    for program in programs:
        with chess.engine.SimpleEngine.popen_uci(program) as engine:
            engine.configure({"Hash": 16, "Threads": 1})
            count = sum(solved(engine, board, ops, limit) for board, ops in positions)
        print(f"{program}: {count} of {len(positions)}")


if __name__ == "__main__":
    main()
