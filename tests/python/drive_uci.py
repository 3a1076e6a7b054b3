#!/usr/bin/env python3
"""Drives Koel with python-chess, which lichess-bot uses.

    pip install chess
    cargo build --release
    tests/python/drive_uci.py target/release/koel

`cargo test -p koel --test python` runs it too, if python-chess is installed.

Tests analysis, MultiPV, pondering, Chess960 and a game. The exit status is 1 if a test fails or if
python-chess logs a warning. Without python-chess it prints a note and the exit status is 0.
"""

import io
import logging
import sys

try:
    import chess
    import chess.engine
except ImportError:
    print("skipped: python-chess is not installed")
    sys.exit(0)

Limit = chess.engine.Limit


def options(engine):
    """The options that lichess-bot sets; it gives up if one is refused."""
    for name, value in {
        "Move Overhead": 100,
        "Threads": 2,
        "Hash": 64,
        "SyzygyPath": "",
        "UCI_ShowWDL": True,
    }.items():
        assert name in engine.options, name
        engine.configure({name: value})
    for name in ["MultiPV", "Ponder", "UCI_Chess960", "UCI_LimitStrength", "UCI_Elo", "Contempt"]:
        assert name in engine.options, name


def forced_mates(engine):
    for fen, moves in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", -1),
    ]:
        board = chess.Board(fen)
        info = engine.analyse(board, Limit(mate=abs(moves)))
        mate = info["score"].relative.mate()
        assert mate == moves, (fen, info)
        for move in info["pv"]:
            board.push(move)
        assert board.is_checkmate(), info


def analysis(engine):
    """An infinite analysis that is stopped, and one that ends by itself."""
    engine.configure({"UCI_ShowWDL": True})
    board = chess.Board()
    with engine.analysis(board) as running:
        for info in running:
            if info.get("depth", 0) >= 8 and info.get("pv"):
                break
    depths = []
    with engine.analysis(board, Limit(depth=9)) as running:
        for info in running:
            if "pv" in info:
                depths.append(info["depth"])
                assert {"score", "nodes", "nps", "time", "seldepth", "wdl"} <= info.keys(), info
    assert depths == sorted(depths) and depths[-1] == 9, depths
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    info = engine.analyse(board, Limit(depth=5), root_moves=only)
    assert info["pv"][0] in only, info


def several_lines(engine):
    infos = engine.analyse(chess.Board(), Limit(depth=7), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4], infos
    assert len({info["pv"][0] for info in infos}) == 4, infos
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True), scores


def pondering(engine):
    """Ponder hits and ponder misses."""
    board = chess.Board()
    for expected in [True, False, True, True]:
        clock = Limit(white_clock=5, black_clock=5, white_inc=0.05, black_inc=0.05)
        result = engine.play(board, clock, ponder=True, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves
        board.push(result.move)
        replies = list(board.legal_moves)
        reply = replies[-1] if result.ponder is None or not expected else result.ponder
        if not expected and reply == result.ponder:
            reply = replies[0]
        board.push(reply)


def chess960(engine):
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    board = chess.Board(fen, chess960=True)
    for _ in range(8):
        result = engine.play(board, Limit(nodes=5000))
        assert result.move in board.legal_moves
        board.push(result.move)
    # Castling in Chess960 notation, in both directions.
    board = chess.Board("4k3/8/8/8/8/8/8/RK6 w A - 0 1", chess960=True)
    castles = chess.Move.from_uci("b1a1")
    result = engine.play(board, Limit(depth=4), root_moves=[castles])
    assert result.move == castles, result
    board.push(castles)
    engine.analyse(board, Limit(depth=4))


def game(engine):
    """A whole game, one side with limited strength."""
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        is_weak = board.turn == chess.BLACK
        strength = {"UCI_LimitStrength": is_weak, "UCI_Elo": 1400}
        result = engine.play(board, Limit(nodes=1000), game=1, options=strength)
        assert result.move in board.legal_moves
        board.push(result.move)
    assert board.is_game_over(claim_draw=True), board.fen()


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM")
    log = io.StringIO()
    logging.basicConfig(stream=log, level=logging.WARNING)
    for check in [options, forced_mates, analysis, several_lines, pondering, chess960, game]:
        with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=30) as engine:
            check(engine)
        print(f"{check.__name__}: ok")
    if log.getvalue():
        print(log.getvalue())
        sys.exit("python-chess logged a warning")
    print(f"python-chess {chess.__version__}: no warning")


if __name__ == "__main__":
    main()
