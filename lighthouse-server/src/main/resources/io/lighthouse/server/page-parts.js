"use strict";
/** What the page is drawn of: elements, bars, cards and cells. */
const parts = (() => {
  const COLOURS = 12, STEPS = 6, SVG = "http://www.w3.org/2000/svg";
  const $ = id => document.getElementById(id);
  const make = (tag, attributes = {}, ...children) => {
    const one = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) one.addEventListener(name.slice(2), value); else one.setAttribute(name, value);
    }
    one.append(...children);
    return one;
  };
  const drawn = (tag, attributes, text) => {
    const one = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    if (text !== undefined) one.textContent = text;
    return one;
  };
  const plural = (n, word) => n + " " + word + (n === 1 ? "" : "s");
  /** Bars are pictures: doubles do. What is exact comes from the service. */
  const shown = n => Number.isFinite(n) ? String(Number(n.toPrecision(10))) : n > 0 ? "\u221e" : "\u2212\u221e";
  const headers = extra => $("token").value ? {...extra, Authorization: "Bearer " + $("token").value} : extra;

  const colour = one => "c" + one.at % COLOURS;

  function bar(label, parts, capacity) {
    const svg = drawn("svg", {class: "bar", viewBox: "0 0 1000 10", preserveAspectRatio: "none", role: "img", "aria-label": label});
    let x = 0;
    for (const part of parts) {
      const width = Math.max(0, Math.min(1000 - x, 1000 * part.amount / capacity));
      if (!(width > 0)) continue;
      const rect = drawn("rect", {x, y: 0, height: 10, width: Math.max(0.5, width - (width > 12 ? 3 : 0)), class: part.kind});
      if (part.name !== undefined) rect.dataset.workload = part.name;
      rect.append(drawn("title", {}, part.title));
      svg.append(rect);
      x += width;
    }
    return svg;
  }

  /** Of each resource how much is taken: a name, a bar and words. */
  const totals = sums => sums.slice(0, 8).flatMap(sum => {
    const amount = shown(sum.taken) + " of " + shown(sum.capacity);
    return [make("span", {}, sum.name), bar(sum.name + ": " + amount + " taken", [{amount: sum.taken, kind: "all", title: amount}], sum.capacity),
      make("span", {class: "amount"}, model.percent(sum.taken / sum.capacity) + "  (" + amount + ")")];
  });

  const step = node => node.fullest.share <= 0 ? 0 : Math.min(STEPS, 1 + Math.floor(node.fullest.share * STEPS - 1e-9));

  /** What the colours of cells stand for. */
  function legend() {
    const ranges = ["empty", ...Array.from({length: STEPS}, (_, i) => Math.round(100 * i / STEPS) + " to " + Math.round(100 * (i + 1) / STEPS) + " %")];
    return ranges.map((range, i) => make("li", {}, make("i", {class: "h" + i}), range));
  }

  /** Says on a cell how full its node is. */
  function fill(cell, node) {
    cell.className = "h" + step(node) + (node.cordoned ? " cordoned" : "");
    cell.title = node.name + (node.fullest.name ? ": " + model.percent(node.fullest.share) + " of " + node.fullest.name : ": nothing taken");
    cell.setAttribute("aria-label", node.name + ", " + model.percent(node.fullest.share) + " full");
  }

  /** A group of cells, one for each node. */
  const cells = (name, nodes, press) => make("div", {class: "cells", role: "group", "aria-label": name, onkeydown: moveFocus}, ...nodes.map((node, i) => {
    const cell = make("button", {type: "button", tabindex: i ? "-1" : "0", "data-cell": node.name, "aria-pressed": "false", onclick: event => press(event.currentTarget, node)});
    fill(cell, node);
    return cell;
  }));

  /** One stop of Tab for each group of cells; the arrows, Home and End go from cell to cell. */
  function moveFocus(event) {
    const cells = [...event.currentTarget.children], at = cells.indexOf(document.activeElement);
    const across = cells.filter(one => one.offsetTop === cells[0].offsetTop).length;
    const by = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across, Home: -at, End: cells.length - 1 - at}[event.key];
    if (by === undefined || at < 0) return;
    event.preventDefault();
    const next = cells[Math.max(0, Math.min(cells.length - 1, at + by))];
    cells[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** A node: how full it is, and who sits there; a workload that came now is drawn as the caller says. */
  function card(node, chip) {
    const gauges = [], marks = make("ul", {class: "marks"}), chips = make("ul", {class: "chips"});
    for (const one of node.resources) {
      if (one.supply) gauges.push(gauge(one, node)); else marks.append(mark(one));
    }
    if (node.cordoned) marks.append(make("li", {class: "ward"}, make("b", {}, "cordoned"), ": takes nobody new"));
    for (const one of node.before) chips.append(make("li", {}, make("span", {class: "chip", title: "sat here before"}, make("i"), one.name)));
    for (const one of node.here) {
      chips.append(make("li", {}, chip(one)));
    }
    return make("article", {class: "sheet node", "data-node": node.name},
      make("header", {}, make("h3", {}, node.name), make("span", {}, plural(node.here.length + node.before.length, "workload"))),
      ...gauges, ...(marks.children.length ? [marks] : []), ...(chips.children.length ? [chips] : []));
  }

  function gauge(one, node) {
    const label = shown(one.left) + " of " + shown(one.capacity) + " left";
    const amount = holder => Number(model.own(holder.requirements, one.name) ?? 0);
    const parts = [...node.before.map(old => ({amount: amount(old), kind: "before", title: old.name + ": " + shown(amount(old))})),
      ...node.here.map(part => ({amount: amount(part), kind: colour(part), name: part.name, title: part.name + ": " + shown(amount(part))}))];
    return make("div", {class: "gauge"}, make("p", {}, make("span", {}, one.name), make("span", {}, label)), bar(one.name + ": " + label, parts, one.capacity));
  }

  function mark(one) {
    if (one.capacity === -Infinity) return make("li", {class: "ward"}, "ward ", make("b", {}, one.name), ": keeps off whoever does not tolerate it");
    if (one.capacity === Infinity) return make("li", {}, make("b", {}, one.name), ": never used up");
    if (one.left < 0) return make("li", {class: "ward"}, "shortcoming ", make("b", {}, one.name), ": " + shown(one.left));
    if (one.capacity < 0) return make("li", {}, "shortcoming ", make("b", {}, one.name), ": " + shown(one.capacity) + ", made up for");
    return make("li", {}, "tag ", make("b", {}, one.name));
  }

  function table(head, rows) {
    const body = make("tbody", {}, ...rows.map(row => make("tr", {}, ...row.map((cell, index) => make("td", index > 3 || ["Nodes", "Now", "Then"].includes(head[index]) ? {class: "n"} : {}, cell)))));
    return make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": head.join(", ")}, make("table", {}, make("thead", {}, make("tr", {}, ...head.map(one => make("th", {scope: "col"}, one)))), body));
  }

  return {$, make, plural, shown, headers, bar, totals, legend, cells, fill, card, colour, table};
})();
