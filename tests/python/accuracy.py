"""Computes accuracies and average centipawn losses a second time, by Python's own statistics.

Reads records of four lines: players, moves, White's score before each move and at the end, and the
figures: accuracies and losses of White and Black. Fails if a figure differs. With `--write` the
figures are replaced by those computed here.
"""

import math
import statistics
import sys

CEILING = 1000


def centipawns(word):
    if word.startswith("#"):
        return -CEILING if word.startswith("#-") else CEILING
    return max(-CEILING, min(CEILING, int(word)))


def win_percent(score):
    return 50 + 50 * (2 / (1 + math.exp(-0.00368208 * score)) - 1)


def accuracy_of_move(before, after):
    if after >= before:
        return 100
    lost = before - after
    value = 103.1668100711649 * math.exp(-0.04354415386753951 * lost) - 3.166924740191411 + 1
    return max(0, min(100, value))


def figures(scores):
    wins = [win_percent(score) for score in scores]
    moves = len(wins) - 1
    size = max(2, min(8, moves // 10))
    windows = [wins[:size]] * (min(size, len(wins)) - 2)
    windows += [wins[at:at + size] for at in range(len(wins) - size + 1)]
    weights = [max(0.5, min(12, statistics.pstdev(window))) for window in windows]
    result = []
    for sign, first in ((1, 0), (-1, 1)):
        own = range(first, moves, 2)
        values = [accuracy_of_move(*(wins[at:at + 2] if sign > 0 else
                                     [100 - win for win in wins[at:at + 2]])) for at in own]
        weighted = statistics.fmean(values, [weights[at] for at in own])
        harmonic = statistics.harmonic_mean([max(1, value) for value in values])
        losses = [max(0, sign * (scores[at] - scores[at + 1])) for at in own]
        result.append(((weighted + harmonic) / 2, statistics.fmean(losses)))
    (white, white_loss), (black, black_loss) = result
    return [white, black, white_loss, black_loss]


def main(path, *options):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for at in range(0, len(lines), 4):
        found = figures([centipawns(word) for word in lines[at + 2].split()])
        if "--write" in options:
            lines[at + 3] = " ".join(f"{figure:.4f}" for figure in found)
        expected = [float(word) for word in lines[at + 3].split()]
        for one, other in zip(found, expected, strict=True):
            if abs(one - other) > 1e-3:
                sys.exit(f"{lines[at]}: {found}, not {expected}")
    if "--write" in options:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(f"the figures of {len(lines) // 4} games agree")


main(*sys.argv[1:])
