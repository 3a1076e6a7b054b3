#!/usr/bin/env python3
"""Plays Koel against any UCI engine with python-chess as referee. Not run by `cargo test`.

    pip install chess
    cargo build --release
    tests/python/vs_engine.py /usr/games/glaurung --games 10 --time 5 --increment 0.05

Prints the result of each game and the score. The exit status is 1 if Koel lost on time, played an
illegal move, crashed, or made python-chess log a warning.
"""

import argparse
import io
import logging
import sys
import time

import chess
import chess.engine
import chess.pgn

OPENINGS = [
    "e2e4 e7e5 g1f3 b8c6",
    "d2d4 d7d5 c2c4 e7e6",
    "e2e4 c7c5 g1f3 d7d6",
    "d2d4 g8f6 c2c4 g7g6",
    "e2e4 e7e6 d2d4 d7d5",
    "c2c4 e7e5 b1c3 g8f6",
    "e2e4 c7c6 d2d4 d7d5",
    "g1f3 d7d5 g2g3 c7c5",
]


class Failure(Exception):
    """A fault of Koel."""


def play(players, koels_color, opening, arguments):
    """Plays a game and returns its board, its result and the reason."""
    board = chess.Board()
    for move in opening.split():
        board.push_uci(move)
    clocks = {color: arguments.time for color in chess.COLORS}
    names = {color: "Koel" if color == koels_color else "opponent" for color in chess.COLORS}
    while not (outcome := board.outcome(claim_draw=True)):
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=arguments.increment,
            black_inc=arguments.increment,
        )
        start = time.monotonic()
        try:
            result = players[side].play(board, limit, game=id(board))
        except chess.engine.EngineError as error:
            if side == koels_color:
                raise Failure(f"{error} in {board.fen()}") from error
            return board, "1-0" if side == chess.BLACK else "0-1", f"opponent: {error}"
        clocks[side] -= time.monotonic() - start
        if clocks[side] < 0:
            if side == koels_color:
                raise Failure(f"time loss by {-clocks[side]:.3f} s in {board.fen()}")
            return board, "1-0" if side == chess.BLACK else "0-1", "opponent lost on time"
        clocks[side] += arguments.increment
        if result.move is None:
            raise Failure(f"{names[side]} gives no move in {board.fen()}")
        board.push(result.move)
    return board, outcome.result(), outcome.termination.name.lower().replace("_", " ")


def options(text):
    """Parses `Name=Value`, an option of the opponent."""
    name, _, value = text.partition("=")
    return name, value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("opponent", help="path of a UCI engine")
    parser.add_argument("--koel", default="target/release/koel", help="path of Koel")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--time", type=float, default=5.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.05, help="seconds for each move")
    parser.add_argument("--option", type=options, action="append", default=[],
                        metavar="NAME=VALUE", help="set an option of the opponent")
    parser.add_argument("--pgn", help="append the games to this file")
    arguments = parser.parse_args()

    log = io.StringIO()
    logging.getLogger("chess.engine").addHandler(logging.StreamHandler(log))
    logging.getLogger("chess.engine").setLevel(logging.WARNING)
    points = wins = draws = 0
    for number in range(arguments.games):
        koels_color = chess.COLORS[number % 2]
        koel = chess.engine.SimpleEngine.popen_uci(arguments.koel)
        opponent = chess.engine.SimpleEngine.popen_uci(arguments.opponent)
        try:
            if arguments.option:
                opponent.configure(dict(arguments.option))
            players = {koels_color: koel, not koels_color: opponent}
            # Each opening is played twice in a row, with colours reversed.
            opening = OPENINGS[number // 2 % len(OPENINGS)]
            board, result, reason = play(players, koels_color, opening, arguments)
        except Failure as failure:
            print(f"game {number + 1}: FAILED: {failure}")
            return 1
        finally:
            for engine in (koel, opponent):
                try:
                    engine.quit()
                except (chess.engine.EngineError, TimeoutError):
                    engine.close()
        won = result == ("1-0" if koels_color == chess.WHITE else "0-1")
        wins += won
        draws += result == "1/2-1/2"
        points = wins + draws / 2
        color = "White" if koels_color == chess.WHITE else "Black"
        print(f"game {number + 1}: Koel as {color}: {result}, {reason}, {board.ply()} plies",
              flush=True)
        if arguments.pgn:
            game = chess.pgn.Game.from_board(board)
            game.headers["White"] = "Koel" if koels_color == chess.WHITE else "opponent"
            game.headers["Black"] = "Koel" if koels_color == chess.BLACK else "opponent"
            game.headers["Result"] = result
            with open(arguments.pgn, "a", encoding="utf-8") as file:
                print(game, file=file, end="\n\n")
    losses = arguments.games - wins - draws
    print(f"Koel: +{wins} ={draws} -{losses}, {points} of {arguments.games}")
    warnings = [line for line in log.getvalue().splitlines() if line]
    for line in warnings:
        print(f"python-chess: {line}")
    return 1 if warnings else 0


if __name__ == "__main__":
    sys.exit(main())
