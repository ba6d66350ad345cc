// Shows any ply of a game. It knows no rules: the page has the first position and what changes with each move.
(() => {
  const begin = (article) => {
    const source = article.querySelector("script.data");
    if (!source) return null;
    const data = JSON.parse(source.textContent);
    const positions = [Array.from(data.start)];
    for (const change of data.changes) {
      const next = positions[positions.length - 1].slice();
      for (let at = 0; at < change.length; at += 2) next[change[at]] = change[at + 1];
      positions.push(next);
    }
    const width = data.width, height = positions[0].length / width, last = positions.length - 1;
    const rows = positions.map((_, ply) => document.getElementById(ply));
    const picture = article.querySelector(".frame svg.board"), decisive = picture.querySelector(".decisive");
    const output = article.querySelector("output");
    const charts = article.querySelectorAll("svg[data-step]");
    const title = picture.querySelector("title"), ending = title.textContent;
    let shown = last;

    const draw = (ply) => {
      boards.place(picture, width, positions[ply]);
      const cell = ply && rows[ply] ? rows[ply].cells[2] : null;
      boards.mark(picture, width, height, cell ? cell.textContent.match(/[a-z][0-9]+/g) || [] : []);
      decisive.setAttribute("visibility", ply === last ? "visible" : "hidden");
      title.textContent = ply === last ? ending : `${ply} / ${last}`;
      rows[shown]?.removeAttribute("aria-current");
      shown = ply;
      const row = rows[ply];
      row?.setAttribute("aria-current", "true");
      output.textContent = `${ply} / ${last}${cell ? "  " + cell.textContent.trim() : ""}`;
      for (const chart of charts) {
        const x = Number(chart.dataset.left) + ply * Number(chart.dataset.step);
        const line = chart.querySelector(".at");
        line?.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
        line?.setAttribute("visibility", ply > 0 ? "visible" : "hidden");
      }
      for (const button of article.querySelectorAll("button[data-to]")) {
        button.disabled = ["first", "previous"].includes(button.dataset.to) ? ply === 0 : ply === last;
      }
    };

    const keep = (row) => {
      // The list scrolls within itself; the page stays where it is.
      const box = row?.closest(".scroll");
      if (!box) return;
      const top = row.offsetTop - box.clientHeight / 2;
      if (box.scrollHeight > box.clientHeight) box.scrollTop = top;
    };

    const go = (ply, remember = true) => {
      const to = Math.max(0, Math.min(last, ply));
      if (to !== shown) draw(to);
      keep(rows[to]);
      if (remember) history.replaceState(null, "", "#" + to);
    };

    const turn = (word) => go({first: 0, previous: shown - 1, next: shown + 1, last}[word]);
    rows.forEach((row, ply) => {
      const link = document.createElement("a");
      link.href = "#" + ply;
      link.textContent = String(ply);
      row?.cells[0].replaceChildren(link);
    });
    article.querySelector(".controls").hidden = false;
    for (const button of article.querySelectorAll("button[data-to]")) {
      button.addEventListener("click", () => turn(button.dataset.to));
    }
    article.addEventListener("click", (event) => {
      const row = event.target.closest(".moves tbody tr");
      if (!row || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      go(rows.indexOf(row));
    });
    for (const chart of charts) {
      chart.addEventListener("click", (event) => {
        const box = chart.getBoundingClientRect();
        const x = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
        go(Math.round((x - Number(chart.dataset.left)) / Number(chart.dataset.step)));
      });
    }
    const follow = () => {
      const word = decodeURIComponent(location.hash.slice(1));
      if (/^[0-9]+$/.test(word)) {
        go(Number(word), false);
        return true;
      }
      return false;
    };
    draw(last);
    if (!follow()) keep(rows[last]);
    window.addEventListener("hashchange", follow);
    return turn;
  };

  const article = document.querySelector("article.game"), turn = article && begin(article);
  if (!turn) return;
  const KEYS = {ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last"};
  document.addEventListener("keydown", (event) => {
    const word = KEYS[event.key];
    if (!word || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    turn(word);
  });
})();
