#!/usr/bin/env python3
"""Records a session of Koel in a terminal as an animated SVG.

    cargo build --release --bin koel
    python3 docs/images/record_terminal.py target/release/koel > docs/images/terminal.svg

The program runs in a pseudo-terminal, so that it prints what a user sees. Its output appears in the
picture at the pace of a reader, not of the machine. Needs Python 3.9 on a Unix, and nothing else.
"""

import html
import os
import pty
import re
import select
import sys
import termios
import time

# The commands, and a pattern in the output that ends each.
SESSION = [
    ("position startpos moves e4 c5 Nf3 d6", None),
    ("go depth 10", r"(?i)best ?move"),
    ("d", r"Fen"),
]
COLUMNS, ROWS = 100, 34
FONT_SIZE, LINE_HEIGHT, MARGIN = 13, 17, 16
CHARACTER_WIDTH = 0.602 * FONT_SIZE
KEY_SECONDS, LINE_SECONDS, PAUSE_SECONDS = 0.03, 0.09, 0.8
COLOURS = {
    30: "#3b4252", 31: "#e06c75", 32: "#98c379", 33: "#e5c07b",
    34: "#61afef", 35: "#c678dd", 36: "#56b6c2", 37: "#d8dee9", 90: "#7f8794",
}
GRAPHIC = re.compile(r"\x1b\[([0-9;]*)m")
OTHER_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-ln-z]|\x1b\][^\x07]*\x07|\r")


def read_until(terminal, pattern, limit=120.0):
    """Returns the output up to half a second of silence after the pattern."""
    text, end = "", time.monotonic() + limit
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.5)
        if ready:
            text += os.read(terminal, 65536).decode("utf-8", "replace")
        elif pattern is None or re.search(pattern, text):
            return text
    raise SystemExit(f"no output with /{pattern}/ within {limit:.0f} s, but: {text}")


def output(terminal, pattern):
    """Returns the rows of the output up to the pattern."""
    lines = read_until(terminal, pattern).splitlines()
    return [("output", row) for line in lines for row in wrapped(line)]


def record(program):
    """Returns the lines of the session as pairs of their kind, `command` or `output`, and text."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(COLUMNS), LINES=str(ROWS))
        os.execv(program, [program])
    modes = termios.tcgetattr(terminal)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
    lines = [("command", "koel")]
    lines += output(terminal, None)
    for command, pattern in SESSION:
        lines.append(("command", command))
        os.write(terminal, (command + "\n").encode())
        lines += output(terminal, pattern)
    os.write(terminal, b"quit\n")
    os.close(terminal)
    return lines


def wrapped(text):
    """Returns a line as the rows of a terminal; one with escape sequences fits into one row."""
    text = OTHER_CONTROL.sub("", text)
    if GRAPHIC.search(text):
        return [text]
    return [text[at:at + COLUMNS] for at in range(0, max(len(text), 1), COLUMNS)]


def indexed_colour(number):
    """Returns a colour of the cube of 6 x 6 x 6 colours, numbers 16 to 231."""
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return "#" + "".join(f"{levels[level]:02x}" for level in (red, *divmod(rest, 6)))


def styled(codes, old):
    """Returns foreground, background and weight after the codes of an escape sequence."""
    foreground, background, bold = old
    codes = iter(codes)
    for code in codes:
        if code == 0:
            foreground, background, bold = None, None, False
        elif code == 1:
            bold = True
        elif code in (38, 48) and next(codes, None) == 5:
            colour = indexed_colour(next(codes, 16))
            foreground, background = (colour, background) if code == 38 else (foreground, colour)
        elif code in COLOURS:
            foreground = COLOURS[code]
    return foreground, background, bold


def spans(line, x, y):
    """Returns a line of output as SVG: the coloured backgrounds, and the text over them."""
    backgrounds, texts, style, column = "", "", (None, None, False), 0
    for index, part in enumerate(GRAPHIC.split(line)):
        if index % 2:
            style = styled([int(code or 0) for code in part.split(";")], style)
        elif part:
            foreground, background, bold = style
            left = x + column * CHARACTER_WIDTH
            if background:
                width = len(part) * CHARACTER_WIDTH
                backgrounds += (f'<rect x="{left:.1f}" y="{y - 0.8 * LINE_HEIGHT:.1f}" width="{width:.1f}"'
                                f' height="{LINE_HEIGHT}" fill="{background}"/>')
            fill = f' style="fill:{foreground}"' if foreground else ""
            weight = ' font-weight="bold"' if bold else ""
            texts += f'<tspan x="{left:.1f}"{fill}{weight}>{html.escape(part)}</tspan>'
            column += len(part)
    return f"{backgrounds}<text y=\"{y:.0f}\">{texts}</text>"


def draw(lines):
    """Returns the SVG: each line appears when its time has come, and old lines scroll away. A viewer
    without animation shows the end of the session."""
    moment, moments = 0.4, []
    for kind, text in lines:
        moment += PAUSE_SECONDS + KEY_SECONDS * len(text) if kind == "command" else LINE_SECONDS
        moments.append(moment)
    width = round(COLUMNS * CHARACTER_WIDTH) + 2 * MARGIN
    height = ROWS * LINE_HEIGHT + 2 * MARGIN
    hidden = max(0, len(lines) - ROWS)
    scrolls = [f"{m / moment:.2%} {{ transform: translateY({-n * LINE_HEIGHT}px) }}"
               for n, m in enumerate(moments[ROWS:], start=1)]
    rows = []
    for index, ((kind, text), at) in enumerate(zip(lines, moments)):
        y = MARGIN + (index + 0.8) * LINE_HEIGHT
        # The shell has a prompt, the session has none.
        prompt = "$ " if index == 0 else ""
        body = (f'<text x="{MARGIN}" y="{y:.0f}"><tspan class="p">{prompt}</tspan>'
                f'<tspan class="c">{html.escape(text)}</tspan></text>')
        body = body if kind == "command" else spans(text, MARGIN, y)
        rows.append(f'<g class="r" style="animation-delay:{at:.2f}s">{body}</g>')
    scroll = f"@keyframes scroll {{ 0% {{ transform: none }} {' '.join(scrolls)} }}" if hidden else ""
    return f"""<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 {width} {height}">
<style>
text {{ font: {FONT_SIZE}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d8dee9;
  white-space: pre }}
.r {{ animation: appear 1ms backwards }}
.p {{ fill: #98c379 }} .c {{ fill: #ffffff; font-weight: bold }}
@keyframes appear {{ from {{ opacity: 0 }} }}
{scroll}
.s {{ transform: translateY({-hidden * LINE_HEIGHT}px); animation: scroll {moment:.2f}s step-end }}
@media (prefers-reduced-motion: reduce) {{ .r, .s {{ animation-duration: 0s; animation-delay: 0s !important }} }}
</style>
<clipPath id="w"><rect width="{width}" height="{height - MARGIN / 2}" y="{MARGIN / 2}"/></clipPath>
<rect width="{width}" height="{height}" rx="10" fill="#1e222a"/>
<g clip-path="url(#w)"><g class="s">
{chr(10).join(rows)}
</g></g>
</svg>
"""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    sys.stdout.write(draw(record(sys.argv[1])))
