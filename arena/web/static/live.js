// Follows the running games. It knows no rules: the server says what stands on which square.
(() => {
  // A lead of so many centipawns is drawn at three quarters of the height.
  const LEAD = 300;
  const root = document.getElementById("live");
  const cards = document.getElementById("cards");
  const link = document.getElementById("link");
  const games = new Map();
  // What the server's clock shows when ours shows 0. The event that was fastest tells it best.
  let offset = -Infinity;
  let state = root ? root.dataset.state : "none";
  let over = false;
  let gone = false;

  const drawBoard = (game, box) => {
    if (!game.squares) return;
    if (box.frame !== game.frame) {
      box.innerHTML = box.frame = game.frame;
      box.dataset.key = "";
    }
    const letters = Array.from(game.squares);
    boards.place(box, game.width, letters);
    boards.mark(box, game.width, letters.length / game.width, game.last);
    box.querySelector("title").textContent = `${game.names[0]} - ${game.names[1]}: ${game.ply} ${game.move}`;
  };

  const drawCurve = (game, card) => {
    const wide = Math.max(40, game.scores.length);
    for (const side of [0, 1]) {
      const points = game.scores.flatMap((value, at) => (game.first + at) % 2 !== side || value === null ? [] : [
        `${(100 * (at + 1) / wide).toFixed(1)} ${(12 - 11 * Math.tanh(value / LEAD)).toFixed(1)}`]);
      card.querySelector(`[data-curve="${side}"]`).setAttribute("d", points.length > 1 ? "M" + points.join("L") : "");
    }
  };

  const drawn = (game) => {
    let card = game.card;
    if (!card) {
      card = document.querySelector(`[data-place="${CSS.escape(game.place)}"]`)
        || document.getElementById("card").content.firstElementChild.cloneNode(true);
      card.dataset.place = game.place;
      game.card = card;
    }
    const put = (name, text, within = card) => { within.querySelector(`[data-${name}]`).textContent = text; };
    card.setAttribute("aria-label", game.names.join(" - "));
    put("number", game.number);
    put("variant", game.variant);
    put("ply", game.ply);
    put("move", game.move);
    for (const side of [0, 1]) {
      const player = card.querySelector(`[data-side="${side}"]`);
      const [score, depth, line] = game.thoughts[side];
      put("name", game.names[side], player);
      put("score", score, player);
      put("depth", depth === null ? "" : "d" + depth, player);
      put("line", line, player);
    }
    drawBoard(game, card.querySelector("[data-board]"));
    drawCurve(game, card);
    return card;
  };

  const clockText = (ms) => {
    if (ms === null) return "";
    const tenths = Math.max(0, Math.floor(ms / 100));
    if (tenths < 600) return `${Math.floor(tenths / 10)}.${tenths % 10}`;
    const two = (number) => String(number % 60).padStart(2, "0");
    const seconds = Math.floor(tenths / 10), minutes = Math.floor(seconds / 60);
    return minutes < 60 ? `${minutes}:${two(seconds)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
  };

  const tick = () => {
    const now = performance.now() + offset;
    for (const game of games.values()) {
      for (const side of [0, 1]) {
        const thinks = state === "running" && side === game.turn && game.since !== null;
        const left = game.left[side];
        const text = clockText(left === null || !thinks ? left : left - Math.max(0, now - game.since));
        const player = game.card.querySelector(`[data-side="${side}"]`);
        const clock = player.querySelector("[data-clock]");
        if (clock.textContent !== text) clock.textContent = text;
        player.classList.toggle("thinks", thinks);
      }
    }
  };

  const learn = (now) => { offset = Math.max(offset, now - performance.now()); };

  const change = (news) => {
    const known = games.get(news.place), game = {frame: known?.frame, ...news, card: known?.card};
    games.set(news.place, game);
    return game;
  };

  const say = (text) => { if (link && link.textContent !== text) link.textContent = text; };

  const enter = (next) => {
    state = next;
    root.dataset.state = next;
    say(next === "stopped" ? link.dataset.stopped : "");
  };

  const live = (value) => {
    if (!root) {
      // This page was made while no run was played.
      if (value.state === "running") location.reload();
      return;
    }
    if (gone) return location.reload();
    if (value.state === "none" && state !== "none") return ended({});
    for (const place of games.keys()) if (!value.places.includes(place)) games.delete(place);
    for (const card of Array.from(cards.children)) if (!value.places.includes(card.dataset.place)) card.remove();
    cards.className = `cards cards${Math.min(4, value.places.length)}`;
    for (const game of value.games.map(change)) drawn(game);
    value.places.forEach((place, at) => {
      const card = games.get(place)?.card;
      if (card && cards.children[at] !== card) cards.insertBefore(card, cards.children[at] || null);
    });
    over = false;
    if (value.state !== state) enter(value.state);
    tick();
  };

  const ended = (value) => {
    if (!root) return;
    over = true;
    // With the server of this run all other pages go: better no link than a dead one.
    gone = Boolean(value.report);
    if (gone) for (const each of document.querySelectorAll('a[href^="/"]')) each.removeAttribute("href");
    for (const game of games.values()) game.since = null;
    enter("none");
    say(gone ? link.dataset.gone + value.report : link.dataset.ended);
    tick();
  };

  const source = new EventSource("/events");
  const on = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("time", (value) => { offset = -Infinity; learn(value.now); });
  on("live", (value) => { if (value.now !== undefined) learn(value.now); live(value); });
  on("head", (value) => {
    if (!root || over) return;
    document.getElementById("head").innerHTML = value.html;
    if (value.state !== "none") enter(value.state);
  });
  on("standings", (value) => { if (root) document.getElementById("standings").innerHTML = value.html; });
  on("end", ended);
  source.addEventListener("error", () => { if (link && !over) say(link.dataset.lost); });
  source.addEventListener("open", () => { if (link && !over) say(""); });
  window.addEventListener("pagehide", () => source.close());
  // The browser may show this page again as it was, without its stream.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  if (root) setInterval(tick, 100);
})();
