#!/usr/bin/env python3
"""Prints a book of locked and drawish endings from the games of a match of Koel.

python3 tests/python/locked_endings.py GAMES.pgn [COUNT]

From each game it takes the first position with at most eighteen men and two pairs of pawns that
block each other, if both engines' last scores were within half a pawn and the game went on for
at least ten plies. No two positions have the same placement. Needs python-chess.
"""

import re
import sys

import chess
import chess.pgn

MOST_MEN = 18
LEAST_PAIRS = 2
MOST_SCORE = 0.5
LEAST_PLIES_LEFT = 10


def blocked_pairs(board):
    """Returns the number of white pawns with a black pawn in front of them."""
    white = int(board.pieces(chess.PAWN, chess.WHITE))
    return (white << 8 & int(board.pieces(chess.PAWN, chess.BLACK))).bit_count()


def score(comment):
    """Returns the score of a move in pawns, if its comment has one that is no mate."""
    found = re.match(r"([+-]\d+\.\d+)/", comment)
    return float(found.group(1)) if found else float("inf")


def ending(game):
    """Returns the first position of a game that fits."""
    nodes = list(game.mainline())
    board = game.board()
    last = float("inf")
    for node in nodes[: -LEAST_PLIES_LEFT or None]:
        board.push(node.move)
        previous, last = last, score(node.comment)
        is_level = max(abs(previous), abs(last)) <= MOST_SCORE
        if is_level and chess.popcount(board.occupied) <= MOST_MEN:
            if blocked_pairs(board) >= LEAST_PAIRS and not board.is_check():
                return board
    return None


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else sys.maxsize
    placements = set()
    with open(sys.argv[1], encoding="utf-8") as games:
        while len(placements) < count and (game := chess.pgn.read_game(games)):
            board = ending(game)
            if board and board.board_fen() not in placements:
                placements.add(board.board_fen())
                print(board.fen())


if __name__ == "__main__":
    main()
