// Puts pieces and marks on boards, which the server draws. It knows no rules, and takes all sizes from the picture.
"use strict";

const boards = (() => {
  const make = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  // The edge of the squares and the side of one.
  const sizes = (picture, width) => {
    const [edge, wide] = ["x", "width"].map((name) => Number(picture.querySelector(".squares").getAttribute(name)));
    return {edge, unit: wide / width};
  };

  // `letters` are those of all squares from the top left; the id of a piece's symbol is its game and the code of its letter.
  const place = (picture, width, letters) => {
    const {edge, unit} = sizes(picture, width);
    const middle = (at) => edge + unit / 2 + unit * at;
    const pieces = picture.querySelector(".pieces"), game = pieces.dataset.game;
    pieces.replaceChildren(...letters.flatMap((letter, at) => letter === "." ? [] : [
      make("use", {href: `#${game}-${letter.charCodeAt(0)}`, x: middle(at % width), y: middle(Math.floor(at / width))})]));
  };

  // The squares of the last move; the one that it left is dashed.
  const mark = (picture, width, height, squares) => {
    const {edge, unit} = sizes(picture, width);
    picture.querySelector(".last").replaceChildren(...squares.map((name, at) => {
      const x = edge + unit * (name.charCodeAt(0) - 97) + 2, y = edge + unit * (height - Number(name.slice(1))) + 2;
      const left = at === 0 && squares.length > 1 ? {class: "left"} : {};
      return make("rect", {x, y, width: unit - 4, height: unit - 4, ...left});
    }));
  };

  return {place, mark};
})();

