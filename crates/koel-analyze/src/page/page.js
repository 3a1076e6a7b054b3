// Shows the games of a page by `koel analyze --html`. It knows no chess: every position is the one
// before it with some squares changed, and every move, score and line is data of the page.
"use strict";

/// A move is [SAN, squares from and to, changed squares, glyph, comments, lines, clock, shapes].
const [SAN, SQUARES, CHANGES, GLYPH, COMMENTS, LINES, CLOCK, SHAPES] = [0, 1, 2, 3, 4, 5, 6, 7];
/// What is said of a player is [moves, accuracy, centipawn loss, ?!, ?, ??], or null.
const FIGURES = ["Moves", "Accuracy", "Loss", "?!", "?", "??"];
const MARKS = { "?!": "dubious", "?": "mistake", "??": "blunder", "!": "good", "!!": "good" };
/// The kind of a move's own glyph, which stands before those of its position: "?? ∞".
const glyphOf = (move) => (move[GLYPH] || "").split(" ")[0];
const kindOf = (move) => MARKS[glyphOf(move)];
const PHASES = ["Game", "Opening", "Middlegame", "Endgame"];

const $ = (id) => document.getElementById(id);
const read = (script) => JSON.parse(script.textContent);
const games = [...document.querySelectorAll("script.game")].map(read);
let game, line, ply = 0, isFlipped = false;

function put(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}
const html = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  put(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// Games.

const tag = (of, name) => (of.tags.find(([found]) => found === name) || ["", ""])[1];
const known = (text) => text.replace(/(\.\?+)+$/, "").replace(/^\?+$/, "");
const player = (of, color) => known(tag(of, color)) || color;
/// The names of the players, or that of a game or position without any.
const names = (of) => {
  const [white, black] = ["White", "Black"].map((color) => known(tag(of, color)));
  return white || black ? [white || "White", black || "Black"] : [known(tag(of, "Event")) || "Game", ""];
};
const opening = (of) => ["ECO", "Opening"].map((name) => known(tag(of, name))).join(" ").trim();
const percent = (value) => (value === undefined ? "" : value.toFixed(1) + " %");

/// A line of moves: that of a game, or one in place of the move after `at` moves of its parent.
function branch(moves, parent, at, evaluation) {
  const unknown = moves.findIndex((move) => !move[CHANGES]);
  return { moves, parent, at, evaluation, items: [], end: unknown < 0 ? moves.length : unknown };
}

function board(of, plies) {
  const squares = of.parent ? board(of.parent, of.at) : [...game.start];
  for (const move of of.moves.slice(0, plies)) {
    for (const [, square, piece] of move[CHANGES].matchAll(/(..)(.)/g)) squares[index(square)] = piece;
  }
  return squares;
}
const file = (square) => square.charCodeAt(0) - 97;
const index = (square) => (8 - square[1]) * 8 + file(square);
const place = (square) => {
  const [x, y] = [file(square), 8 - square[1]];
  return isFlipped ? [7 - x, 7 - y] : [x, y];
};
const name = (at) => "abcdefgh"[at % 8] + (8 - Math.floor(at / 8));

function number(of, plies, isFirst) {
  let half = game.first + plies;
  for (let up = of; up.parent; up = up.parent) half += up.at;
  const text = Math.floor(half / 2) + (half % 2 ? "…" : ".");
  return half % 2 && !isFirst ? "" : text;
}

// The board.

function arrow(squares, kind) {
  const [[x1, y1], [x2, y2]] = [place(squares.slice(0, 2)), place(squares.slice(2, 4))];
  const cut = 0.28 / Math.hypot(x2 - x1, y2 - y1);
  const [x, y] = [x2 - (x2 - x1) * cut, y2 - (y2 - y1) * cut];
  const at = { x1: x1 + 0.5, y1: y1 + 0.5, x2: x + 0.5, y2: y + 0.5 };
  return svg("line", { class: `arrow ${kind}`, "marker-end": `url(#head-${kind})`, ...at });
}

function drawBoard() {
  const move = line.moves[ply - 1];
  const parts = [];
  for (let at = 0; at < 64; at += 1) {
    const [x, y] = place(name(at));
    parts.push(svg("rect", { class: (x + y) % 2 ? "dark" : "light", x, y, width: 1, height: 1 }));
    if (x === 0) parts.push(label(name(at)[1], 0.04, y + 0.2, y));
    if (y === 7) parts.push(label(name(at)[0], x + 0.84, 7.95, x + 1));
  }
  const mark = (square, kind) => {
    const [x, y] = place(square);
    parts.push(svg("rect", { class: kind, x, y, width: 1, height: 1 }));
  };
  if (move) [0, 2].forEach((from) => mark(move[SQUARES].slice(from, from + 2), "last"));
  const shapes = (move ? move[SHAPES] : game.shapes) || [];
  shapes.filter((shape) => shape.length === 3).forEach((shape) => mark(shape.slice(1), `shape ${shape[0]}`));
  board(line, ply).forEach((piece, at) => {
    const [x, y] = place(name(at));
    if (piece !== ".") parts.push(svg("use", { href: "#piece-" + piece, x, y, width: 1, height: 1 }));
  });
  const best = line.parent ? "" : game.best[ply - game.offset];
  if (best) parts.push(arrow(best, "best"));
  shapes.filter((shape) => shape.length === 5).forEach((shape) => parts.push(arrow(shape.slice(1), shape[0])));
  if (move && kindOf(move)) {
    const [x, y] = place(move[SQUARES].slice(2, 4));
    const at = `translate(${Math.min(x + 0.9, 7.78)} ${Math.max(y + 0.1, 0.22)})`;
    const text = svg("text", { y: 0.085 }, glyphOf(move));
    parts.push(svg("g", { class: "badge " + kindOf(move), transform: at }, svg("circle", { r: 0.22 }), text));
  }
  $("squares").replaceChildren(...parts);
}
const label = (text, x, y, at) => svg("text", { class: at % 2 ? "on-dark" : "on-light", x, y }, text);

function drawPlayers() {
  ["White", "Black"].forEach((color, at) => {
    const isAbove = (color === "Black") !== isFlipped;
    const clocks = line.parent ? [] : line.moves.slice(0, ply).filter((_, of) => (game.first + of) % 2 === at);
    const clock = clocks.length ? clocks[clocks.length - 1][CLOCK] : "";
    const figures = game.figures[at][0];
    $(isAbove ? "above" : "below").replaceChildren(
      html("span", { class: "piece " + color.toLowerCase() }),
      html("b", {}, player(game, color)),
      html("span", { class: "dim" }, known(tag(game, color + "Elo"))),
      html("span", { class: "dim accuracy" }, figures ? percent(figures[1]) : ""),
      html("span", { class: "clock", hidden: clock ? undefined : "" }, clock || "")
    );
  });
}

function drawEvaluation() {
  const evaluation = line.parent ? line.evaluation : game.evals[ply - game.offset];
  const expected = game.expected[(line.parent ? line.at : ply) - game.offset];
  $("evaluation").textContent = evaluation || "";
  $("expected").textContent = expected === undefined || line.parent ? "" : `White ${expected} %`;
  $("bar").style.setProperty("--white", (expected === undefined ? 50 : expected) + "%");
  $("bar").classList.toggle("flipped", isFlipped);
}

// The chart.

function points() {
  const curve = $("chart").querySelector("polyline");
  return curve ? [...curve.points] : [];
}

function showChart() {
  $("chart").innerHTML = game.chart;
  const curve = points();
  if (!curve.length) return;
  $("chart").firstChild.setAttribute("preserveAspectRatio", "none");
  const middle = $("chart").querySelector(".mark").getAttribute("y1");
  const outline = [...curve, { x: curve[curve.length - 1].x, y: middle }, { x: curve[0].x, y: middle }];
  const area = outline.map(({ x, y }) => `${x},${y}`).join(" ");
  $("chart").firstChild.prepend(svg("polygon", { class: "area", points: area }));
  game.moves.forEach((move, at) => {
    const point = curve[at + 1 - game.offset];
    const kind = kindOf(move);
    if (point && kind) $("chart").firstChild.append(svg("path", { class: "dot " + kind, d: `M${point.x} ${point.y}h.01` }));
  });
  $("chart").firstChild.append(svg("line", { id: "cursor", y1: 0, y2: 1000 }));
}

function drawCursor() {
  const point = points()[(line.parent ? line.at : ply) - game.offset];
  if (point) put($("cursor"), { x1: point.x, x2: point.x }, []);
}

function clickChart(event) {
  const curve = points();
  if (!curve.length || (event.type === "pointermove" && !event.buttons)) return;
  const box = $("chart").firstChild.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * $("chart").firstChild.viewBox.baseVal.width;
  const distances = curve.map((point) => Math.abs(point.x - x));
  go(root, game.offset + distances.indexOf(Math.min(...distances)));
}

// The moves.

let root;

function moveButton(of, at, isFirst) {
  const move = of.moves[at];
  const glyph = move[GLYPH] ? html("i", { class: kindOf(move) || "other" }, move[GLYPH]) : undefined;
  const evaluation = of.parent ? undefined : html("small", {}, game.evals[at + 1 - game.offset] || "");
  const index = of.parent ? number(of, at, isFirst) : "";
  const attributes = { class: "move", onclick: () => go(of, at + 1), disabled: at < of.end ? undefined : "" };
  of.items[at] = html("button", attributes, index && html("span", { class: "index" }, index), move[SAN], glyph, evaluation);
  return of.items[at];
}

function remarks(of, at) {
  const [comments, lines] = [of.moves[at][COMMENTS] || [], of.moves[at][LINES] || []];
  return [...comments.map((text) => html("p", { class: "comment" }, text)), ...lines.map((found) => {
    const [title, evaluation, moves] = found;
    if (!moves.length) return html("p", { class: "comment koel" }, title);
    const inner = branch(moves, of, at, evaluation);
    let isFirst = true;
    const body = moves.flatMap((_, index) => {
      const parts = [moveButton(inner, index, isFirst), ...remarks(inner, index)];
      isFirst = parts.length > 1;
      return parts;
    });
    // Koel's lines have an evaluation, and a title if they are the best; the title of another is a comment.
    const isBest = Boolean(title && evaluation);
    if (title && !isBest) body.unshift(html("p", { class: "comment" }, title));
    const head = [isBest ? title : number(inner, 0, true) + " " + moves[0][SAN], html("small", {}, evaluation)];
    const summary = html("summary", { class: isBest ? "koel" : "" }, ...head);
    return html("details", {}, summary, html("div", { class: "line" }, ...body));
  })];
}

function showMoves() {
  root = branch(game.moves, null, 0);
  const rows = (game.comments || []).map((text) => html("p", { class: "comment" }, text));
  let isFirst = true;
  game.moves.forEach((_, at) => {
    const isBlack = (game.first + at) % 2 === 1;
    if (isFirst || !isBlack) rows.push(html("span", { class: "index" }, number(root, at, true).replace(/\D+/, "")));
    if (isFirst && isBlack) rows.push(html("span", { class: "gap" }, "…"));
    rows.push(moveButton(root, at, isFirst));
    const said = remarks(root, at);
    if (said.length && !isBlack && at + 1 < game.moves.length) rows.push(html("span", { class: "gap" }, "…"));
    rows.push(...said);
    isFirst = said.length > 0;
  });
  $("moves").replaceChildren(...rows, html("p", { class: "result" }, game.result));
}

function showFigures() {
  $("figures").replaceChildren(...["White", "Black"].map((color, at) => {
    if (!game.figures[at][0]) return "";
    const rows = game.figures[at].flatMap((of, phase) => (of ? [[PHASES[phase], ...figures(of)]] : []));
    return table([player(game, color), ...FIGURES], rows);
  }));
}
const figures = (of) => [of[0], percent(of[1]), Math.round(of[2]), ...of.slice(3)];

/// Goes to a position: after so many moves of a line.
function go(to, plies) {
  [line, ply] = [to, Math.max(0, Math.min(plies, to.end))];
  if (line.parent && ply === 0) return go(line.parent, line.at);
  drawBoard();
  drawPlayers();
  drawEvaluation();
  drawCursor();
  document.querySelectorAll(".move.current").forEach((item) => item.classList.remove("current"));
  const item = line.items[ply - 1];
  if (item) {
    item.classList.add("current");
    for (let up = item.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
  }
  const top = item ? item.offsetTop - $("moves").clientHeight / 2 : 0;
  $("moves").scrollTop = top;
  if (!line.parent) history.replaceState(null, "", `#${game.number}/${ply}`);
  return undefined;
}

// The collection.

/// A table, which a click on a heading sorts, and a click on a row opens its game if it has one.
function table(headings, rows, isSortable, open) {
  const body = html("tbody", {});
  const isNumber = (text) => /^(-?\d+(\.\d+)?( %)?)?$/.test(text);
  const kinds = headings.map((_, column) => {
    const texts = rows.map((row) => row[column]);
    return texts.every(isNumber) && texts.some(String) ? "number" : "text";
  });
  const value = (row, column) =>
    kinds[column] === "number" ? parseFloat(row[column]) || 0 : String(row[column]).toLowerCase();
  const show = () => body.replaceChildren(...rows.map((row) => {
    const cells = row.map((text, column) => html("td", { class: kinds[column] }, String(text)));
    if (open) cells[0].replaceChildren(html("a", { href: `#${row[0]}/0` }, String(row[0])));
    return html("tr", open ? { onclick: () => open(row) } : {}, ...cells);
  }));
  const sort = (column) => {
    const sign = head[column].getAttribute("aria-sort") === "ascending" ? -1 : 1;
    rows.sort((row, other) => {
      const [one, two] = [value(row, column), value(other, column)];
      return sign * (one < two ? -1 : Number(one > two));
    });
    head.forEach((cell) => cell.removeAttribute("aria-sort"));
    head[column].setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
    show();
  };
  const head = headings.map((text, column) =>
    html("th", { class: kinds[column], onclick: isSortable ? () => sort(column) : null }, text));
  show();
  const kind = (isSortable ? "sortable" : "") + (open ? " opens" : "");
  return html("table", { class: kind }, html("thead", {}, html("tr", {}, ...head)), body);
}

function showCollection() {
  const matches = $("filter").value.toLowerCase();
  const row = (of) => {
    const [white, black] = of.figures.map((figures) => figures[0] || []);
    const marks = [3, 4, 5].map((mark) => (white[mark] || 0) + (black[mark] || 0));
    const moves = Math.ceil(of.moves.length / 2);
    const [one, other] = names(of);
    return [of.number, one, percent(white[1]), other, percent(black[1]),
      of.result, known(tag(of, "Date")), opening(of), moves, ...marks];
  };
  const rows = games.map(row).filter((cells) => cells.join(" ").toLowerCase().includes(matches));
  const headings = ["#", "White", "Accuracy", "Black", "Accuracy", "Result", "Date", "Opening", "Moves"];
  const open = (cells) => { location.hash = `#${cells[0]}/0`; };
  $("games").replaceChildren(table([...headings, ...FIGURES.slice(3)], rows, true, open));
  const players = read($("summary")).map(([name, count, of]) => [name, count, ...figures(of)]);
  $("people").hidden = !players.length;
  $("players").replaceChildren(table(["Player", "Games", ...FIGURES], players, true));
}

function showGame(found) {
  game = found;
  const title = names(game).filter(Boolean).join(" – ");
  document.title = `${title}, ${game.result}`;
  const about = ["Event", "Site", "Round", "Date"].map((name) => known(tag(game, name)));
  $("title").textContent = `${title}  ${game.result}`;
  $("about").textContent = [...about, opening(game)].filter(Boolean).join(" · ");
  showMoves();
  showChart();
  showFigures();
}

/// Shows what the address names: #3/24 is game 3 after 24 plies.
function route() {
  const [, of, plies] = location.hash.match(/^#(\d+)\/?(\d*)$/) || [];
  const found = games.find(({ number }) => number === Number(of)) || (games.length === 1 ? games[0] : undefined);
  $("collection").hidden = Boolean(found);
  $("game").hidden = !found;
  if (found && found !== game) showGame(found);
  if (found) go(root, Number(plies || 0));
}

const KEYS = {
  ArrowLeft: () => go(line, ply - 1),
  ArrowRight: () => go(line, ply + 1),
  Home: () => go(root, 0),
  End: () => go(root, root.end),
  f: () => { isFlipped = !isFlipped; go(line, ply); },
  Escape: () => { if (games.length > 1) location.hash = "#"; },
};

document.onkeydown = (event) => {
  const action = KEYS[event.key];
  const isOurs = !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches("input");
  if (!action || !isOurs || $("game").hidden) return;
  event.preventDefault();
  action();
};
document.querySelectorAll("[data-key]").forEach((button) => { button.onclick = KEYS[button.dataset.key]; });
$("chart").onpointerdown = clickChart;
$("chart").onpointermove = clickChart;
$("filter").oninput = showCollection;
window.onhashchange = route;
if (games.length > 1) showCollection();
document.body.classList.toggle("single", games.length === 1);
route();
