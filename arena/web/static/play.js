// Games with people. It knows no rules: the server says which moves are legal, as words that name their squares.
"use strict";
(() => {
  const here = location.pathname;
  const by = (id) => document.getElementById(id);
  const said = by("said");
  const say = (lines) => said.replaceChildren(...lines.map((line) => {
    const p = document.createElement("p");
    p.textContent = line;
    return p;
  }));

  // The answer, or null after its sentence was shown. Throws where no answer came.
  const post = async (value) => {
    const answer = await fetch(here, {
      method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(value)});
    const back = answer.headers.get("content-type") === "application/json" ? await answer.json() : {error: ""};
    if (answer.ok) return back;
    say([back.error || `${answer.status}`]);
    return null;
  };

  const form = by("begin");
  if (form) {
    const only = () => {
      form.elements.strength.disabled = form.elements.opponent.value !== "strong";
      form.elements.side.disabled = form.elements.opponent.value === "human";
    };
    form.addEventListener("change", only);
    only();
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const chosen = Object.fromEntries(Array.from(form.elements).filter((each) => each.name).map((each) => [each.name, each.value]));
      try {
        const back = await post(chosen);
        if (back) location.assign(`${here}/${back.secret}`);
      } catch (error) {
        say([String(error.message)]);
      }
    });
    return;
  }

  const table = by("table"), grid = by("grid"), picture = by("picture");
  if (!table) return;
  const words = JSON.parse(by("words").textContent);
  let game = null, chosen = [], sent = false, received = 0;
  let cells = new Map();  // by the name of a square
  let focused = "";

  const squaresOf = (word) => word.match(/[a-z][0-9]+/g) || [];
  const fits = (squares) => !chosen.length
    || (squares[0] === chosen[0] && chosen.slice(1).every((each) => squares.slice(1).includes(each)));
  // Which squares may be chosen next.
  const candidates = () => new Set(game.words.filter(fits).flatMap((squares) =>
    chosen.length ? squares.slice(1).filter((each) => !chosen.includes(each)) : squares.slice(0, 1)));

  const send = async (word, move = "") => {
    if (sent || !game) return;
    sent = true;
    chosen = [];
    const before = game;
    try {
      if (!await post({do: word, move, ply: game.moves.length})) sent = false;
    } catch { sent = false; say([words.lost]); }
    if (game === before) draw();
  };

  // A move that cannot be legal, so that the server says why.
  const wrong = (name) => {
    const form = game.words[0] || [name];
    if (!chosen.length) return [name, ...form.slice(1)];
    return [chosen[0], name, ...Array.from(candidates()).filter((each) => each !== name)].slice(0, form.length);
  };

  // Moves that differ by more than their squares, as promotions do, are typed to their end.
  const spell = (whole) => {
    const input = by("typed").elements.move;
    input.value = chosen.join("");
    chosen = [];
    say([whole.join(" ")]);
    input.focus();
    draw();
  };

  const choose = (name) => {
    if (!game || game.phase !== "person" || sent) return;
    const next = candidates();
    if (chosen.includes(name)) chosen = chosen[0] === name ? [] : chosen.filter((each) => each !== name);
    else if (next.has(name)) {
      chosen.push(name);
      const whole = game.legal.filter((word, at) => game.words[at].length === chosen.length && fits(game.words[at]));
      if (whole.length === 1) return send("move", whole[0]);
      if (whole.length) return spell(whole);
    } else if (game.starts.has(name)) chosen = [name];
    else return send("move", wrong(name).join(""));
    draw();
  };

  const focus = (name) => {
    const cell = cells.get(name);
    if (!cell) return;
    cells.get(focused)?.setAttribute("tabindex", "-1");
    focused = name;
    cell.setAttribute("tabindex", "0");
    cell.focus();
  };

  const layOut = (rows) => {
    const make = (role, ...within) => {
      const element = document.createElement("div");
      element.setAttribute("role", role);
      element.replaceChildren(...within);
      return element;
    };
    cells = new Map();
    const lines = rows.map((letters, row) => make("row", ...Array.from(letters, (_, column) => {
      const name = String.fromCharCode(97 + column) + (rows.length - row);
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.square = name;
      button.tabIndex = -1;
      cells.set(name, button);
      return make("gridcell", button);
    })));
    grid.replaceChildren(...lines);
    // The picture has labels of 26 around squares of 40.
    const wide = rows[0].length * 40 + 52, high = rows.length * 40 + 52;
    grid.style.inset = `${2600 / high}% ${2600 / wide}%`;
    grid.style.gridTemplateColumns = `repeat(${rows[0].length}, 1fr)`;
    grid.style.gridTemplateRows = `repeat(${rows.length}, 1fr)`;
    table.style.setProperty("--files", rows[0].length);
    grid.hidden = false;
    focused = cells.has(focused) ? focused : `${String.fromCharCode(97 + (rows[0].length >> 1))}${(rows.length + 1) >> 1}`;
    cells.get(focused).tabIndex = 0;
  };

  const draw = () => {
    const next = game.phase === "person" && !sent ? candidates() : new Set();
    const hinted = new Set(squaresOf(game.hint));
    for (const [row, letters] of game.rows.entries()) {
      for (const [column, letter] of Array.from(letters).entries()) {
        const name = String.fromCharCode(97 + column) + (game.rows.length - row), cell = cells.get(name);
        const marks = [
          chosen.includes(name) && words.chosen, next.has(name) && (chosen.length || letter === "." ? words.target : words.movable),
          game.last.includes(name) && words.last, hinted.has(name) && words.hinted];
        cell.setAttribute("aria-label", [`${name} ${words.pieces[game.game]?.[letter] || (letter === "." ? words.empty : letter)}`, ...marks.filter(Boolean)].join(", "));
        cell.setAttribute("aria-pressed", String(chosen.includes(name)));
        cell.classList.toggle("next", next.has(name));
        cell.classList.toggle("hinted", hinted.has(name));
      }
    }
    offer();
  };

  const HAVE_ENDED = ["over", "left", "failed"];
  const offer = () => {
    const ended = HAVE_ENDED.includes(game.phase);
    const can = {
      undo: (game.phase === "person" || game.phase === "broken") && game.moves.length > 0, hint: game.phase === "person",
      resign: game.phase === "person" || game.phase === "broken", draw: game.phase === "person" && game.draw,
      engine: game.phase === "broken", open: game.phase === "left" || game.phase === "failed"};
    for (const button of document.querySelectorAll("button[data-do]")) {
      const word = button.dataset.do;
      button.disabled = sent || !can[word];
      button.hidden = !can[word] && (ended || ["draw", "engine", "open"].includes(word));
    }
    by("typed").querySelector("button").disabled = sent || game.phase !== "person";
    by("typed").hidden = ended;
    const steps = game.phase === "person" && words.steps[game.words[0]?.length];
    by("step").textContent = steps && !sent ? steps[chosen.length] : "";
  };

  const clockText = (ms) => {
    const seconds = Math.max(0, ms) / 1000;
    return seconds < 20 ? seconds.toFixed(1) : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
  };

  const tick = () => {
    if (!game) return;
    for (const side of [0, 1]) {
      const left = game.left[side], runs = game.thinks && game.turn === side;
      const clock = document.querySelector(`[data-side="${side}"] [data-clock]`);
      const text = left === null ? "" : clockText(runs ? left - game.age - (performance.now() - received) : left);
      if (clock.textContent !== text) clock.textContent = text;
    }
  };

  const show = (value) => {
    const before = game;
    game = {board: null, rows: [], last: [], moves: [], legal: [], left: [null, null], names: ["", ""], sides: ["", ""], rules: [], ...value};
    const same = before && before.rows.join("/") === game.rows.join("/");
    const shape = before && before.rows.length === game.rows.length && before.rows[0]?.length === game.rows[0]?.length;
    game.words = game.legal.map(squaresOf);
    game.starts = new Set(game.words.map((squares) => squares[0]));
    chosen = same && game.phase === "person" ? chosen : [];
    sent = false;
    received = performance.now();
    table.dataset.phase = game.phase;
    if (game.board !== null) {
      if (!same) picture.innerHTML = game.board;
      if (!shape) layOut(game.rows);
      draw();
    } else offer();
    for (const side of [0, 1]) {
      const player = document.querySelector(`[data-side="${side}"]`);
      player.querySelector("[data-name]").textContent = game.names[side];
      const turn = game.turn === side && (game.phase === "person" || game.phase === "engine");
      player.querySelector("[data-called]").textContent = game.sides[side] + (turn ? ` – ${words[game.phase]}` : "");
      player.classList.toggle("thinks", turn);
    }
    say(game.phase === "starting" ? [...game.said, words.starting] : game.said);
    const list = (id, texts) => by(id).replaceChildren(...texts.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
    list("moves", game.moves);
    list("rules", game.rules.slice(1));
    if (game.rules.length) document.querySelector("h1").textContent = game.rules[0];
    tick();
  };

  let source = null;
  const listen = () => {
    source?.close();
    source = new EventSource(`${here}/events`);
    source.addEventListener("game", (event) => {
      show(JSON.parse(event.data));
      if (HAVE_ENDED.includes(game.phase)) source.close();
    });
    source.addEventListener("error", () => {
      source.close();
      sent = false;
      say([words.lost]);
      setTimeout(open, 1000);
    });
  };
  const open = async () => {
    try {
      if (await post({do: "open"})) listen();
    } catch {
      say([words.lost]);
      setTimeout(open, 1000);
    }
  };

  grid.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.dataset.square;
    if (name) { focus(name); choose(name); }
  });
  const STEPS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
  grid.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") { chosen = []; draw(); }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    focus(String.fromCharCode(focused.charCodeAt(0) + step[0]) + (Number(focused.slice(1)) + step[1]));
  });
  by("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const input = event.target.elements.move, text = input.value.trim();
    if (text && game?.phase === "person") { send("move", text); input.value = ""; }
  });
  const sure = by("sure");
  for (const button of document.querySelectorAll("button[data-do]")) {
    button.addEventListener("click", () => {
      const word = button.dataset.do;
      if (word === "open") open();
      else if (!button.dataset.sure) send(word);
      else {
        by("question").textContent = button.dataset.sure;
        sure.dataset.word = word;
        sure.returnValue = "no";
        sure.showModal();
      }
    });
  }
  sure.addEventListener("close", () => { if (sure.returnValue === "yes") send(sure.dataset.word); });
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  setInterval(tick, 200);
  open();
})();
