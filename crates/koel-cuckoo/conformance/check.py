#!/usr/bin/env python3
"""Checks a file of the repetition conformance suite with python-chess.

    pip install chess
    python3 check.py [FILE] [--every N]

The truth is computed again from the moves alone: positions are compared piece by piece and every legal
move is tried. Nothing is shared with the Rust program that wrote the file. Prints each wrong record; the
exit status is 1 if there is one, and 2 if python-chess is not installed. --every N checks each N-th
record only.
"""

import argparse
import json
import pathlib
import sys

try:
    import chess
except ImportError:
    print("python-chess is not installed: pip install chess")
    sys.exit(2)

FIELDS = ["occurrences", "threefold", "draw", "returns", "upcoming", "no_progress"]


def identity(board):
    """Returns what makes two positions equal by the laws of chess."""
    return (
        tuple(board.pieces_mask(piece, color) for piece in chess.PIECE_TYPES for color in chess.COLORS),
        board.turn,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


def is_irreversible(board, move):
    """Returns whether no position before a legal move can occur again after it."""
    return not move or board.is_zeroing(move)


def draws(distances, ply):
    """The rule of the search: one earlier occurrence strictly after the root, or two anywhere."""
    return any(distance < ply for distance in distances) or len(distances) >= 2


class Line:
    """The positions of a line, each with the index of the first one that it may repeat."""

    def __init__(self, record):
        self.board = chess.Board(record["fen"], chess960=record.get("chess960", False))
        self.boards = [self.board.copy(stack=False)]
        self.identities = [identity(self.board)]
        self.windows = [0]
        for text in record["moves"].split():
            move = chess.Move.null() if text == "0000" else self.board.parse_uci(text)
            if not move and self.board.is_check():
                raise ValueError("a null move in check")
            is_reset = is_irreversible(self.board, move)
            self.board.push(move)
            self.boards.append(self.board.copy(stack=False))
            self.identities.append(identity(self.board))
            self.windows.append(len(self.identities) - 1 if is_reset else self.windows[-1])
        self.last = len(self.identities) - 1

    def earlier(self, index):
        """Returns the distances of the earlier occurrences of a position, the nearest first."""
        window = range(index - 1, self.windows[index] - 1, -1)
        return [index - other for other in window if self.identities[other] == self.identities[index]]

    def returns(self, ply):
        """Returns the legal moves into an earlier position, and the one of the upcoming repetition."""
        found, upcoming = [], None
        for move in list(self.board.legal_moves):
            text = self.board.uci(move)
            if self.board.is_zeroing(move):
                continue
            self.board.push(move)
            after = identity(self.board)
            self.board.pop()
            window = range(self.last, self.windows[-1] - 1, -1)
            plies = [self.last - other for other in window if self.identities[other] == after]
            if not plies:
                continue
            draw = draws([distance + 1 for distance in plies], ply + 1)
            found.append({"move": text, "plies": plies, "draw": draw})
            counting = [d for d in plies if d < ply or self.earlier(self.last - d)]
            if counting and (upcoming is None or counting[0] < upcoming["plies"]):
                upcoming = {"move": text, "plies": counting[0]}
        return sorted(found, key=lambda entry: entry["plies"][0]), upcoming

    def no_progress(self, ply):
        """Returns the nearest position after the root from which one reversible move leads here."""
        pieces, turn, rights, en_passant = self.identities[-1]
        for distance in range(3, min(ply, self.last - self.windows[-1] + 1), 2):
            origin = self.last - distance
            if self.identities[origin][2:] != (rights, None) or en_passant is not None:
                continue
            board = self.boards[origin]
            for move in list(board.legal_moves):
                if board.is_zeroing(move) or board.is_castling(move):
                    continue
                text = board.uci(move)
                board.push(move)
                after = identity(board)
                board.pop()
                if after == self.identities[-1]:
                    return {"origin": origin, "move": text}
        return None


def truth(record):
    """Returns the fields of a record that follow from its moves and its root."""
    line = Line(record)
    ply = line.last - record["root"]
    if ply < 0:
        raise ValueError("the root lies behind the last move")
    repetitions = line.earlier(line.last)
    returns, upcoming = line.returns(ply)
    return {
        "occurrences": 1 + len(repetitions),
        "threefold": len(repetitions) >= 2,
        "draw": draws(repetitions, ply),
        "returns": returns,
        "upcoming": upcoming,
        "no_progress": line.no_progress(ply),
    }


def errors_of(record):
    """Returns a message for each wrong field of a record."""
    try:
        found = truth(record)
    except (ValueError, KeyError) as error:
        return [f"{record.get('id')}: {error}"]
    return [
        f"{record['id']}: {field} is {json.dumps(record.get(field))}, python-chess finds {json.dumps(found[field])}"
        for field in FIELDS
        if record.get(field) != found[field] or field not in record
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).with_name("suite.jsonl")
    parser.add_argument("file", nargs="?", default=str(default), help="- for the standard input")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    is_input = arguments.file == "-"
    text = sys.stdin.read() if is_input else pathlib.Path(arguments.file).read_text(encoding="utf-8")
    lines = text.splitlines()
    header, records = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    errors = []
    if header.get("records") != len(records):
        errors.append(f"the header states {header.get('records')} records, there are {len(records)}")
    checked = records[:: arguments.every]
    for record in checked:
        errors += errors_of(record)
    print("\n".join(errors + [f"{len(checked)} of {len(records)} records checked, {len(errors)} errors"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
