"use strict";
/** What the page is drawn of: elements, bars, cards and cells. */
const parts = (() => {
  const COLOURS = 12, STEPS = 6, LARGE = 200, MIDDLE = 2000, SVG = "http://www.w3.org/2000/svg";
  const ORDERS = [["fullest", "fullest first"], ["emptiest", "emptiest first"], ["given", "as given"], ["name", "by name"], ["tag", "by tag"]];
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

  const step = share => share <= 0 ? 0 : Math.min(STEPS, 1 + Math.floor(share * STEPS - 1e-9));

  /** What the colours of cells stand for. */
  function legend() {
    const ranges = ["empty", ...Array.from({length: STEPS}, (_, i) => Math.round(100 * i / STEPS) + " to " + Math.round(100 * (i + 1) / STEPS) + " %")];
    return ranges.map((range, i) => make("li", {}, make("i", {class: "h" + i}), range));
  }

  /** Says on a cell how full its node is: of one resource, or of its fullest. */
  function fill(cell, node, resource = "") {
    const {name, share} = model.fullestOf(node, resource);
    cell.className = "h" + step(share) + (node.cordoned ? " cordoned" : "");
    const taken = name ? model.percent(share) + " of " + name : resource ? "has no " + resource + " to fill" : "nothing taken";
    cell.title = node.name + ": " + taken + (node.cordoned ? "; cordoned" : "");
    cell.setAttribute("aria-label", cell.title);
  }

  /** A group of cells, one for each node; the fewer nodes there are in all, the larger they are. */
  const cells = (name, nodes, press, {resource = "", all = nodes.length} = {}) => make("div", {class: "cells" + (all <= LARGE ? " large" : all <= MIDDLE ? "" : " small"), role: "group", "aria-label": name, onkeydown: moveFocus}, ...nodes.map((node, i) => {
    const cell = make("button", {type: "button", tabindex: i ? "-1" : "0", "data-cell": node.name, "aria-pressed": "false", onclick: event => press(event.currentTarget, node)});
    fill(cell, node, resource);
    return cell;
  }));

  /** Offers options, each a value and its words; the choice stays if it is still offered. */
  function choices(select, all) {
    const chosen = select.value, same = all.length === select.options.length && all.every(([value], i) => value === select.options[i].value);
    if (same) return;
    select.replaceChildren(...all.map(([value, words]) => make("option", {value}, words)));
    select.value = all.some(([value]) => value === chosen) ? chosen : all[0][0];
  }

  /** How nodes are ordered, coloured and filtered: fields for a person, and what they say. */
  function controls(prefix, changed) {
    const field = (id, words, one) => make("label", {for: prefix + id}, words + " ", one);
    const order = make("select", {id: prefix + "order"}), resource = make("select", {id: prefix + "resource"});
    const state = make("select", {id: prefix + "which"}, ...Object.entries(model.STATES).map(([value, {words}]) => make("option", {value}, words)));
    const find = make("input", {id: prefix + "find", type: "search", autocomplete: "off", spellcheck: "false", placeholder: "name of a node or workload"});
    const count = make("span", {class: "hint", id: prefix + "shown", role: "status"});
    order.addEventListener("change", () => changed(true));
    resource.addEventListener("change", () => changed(true));
    state.addEventListener("change", () => changed(false));
    find.addEventListener("input", () => changed(false));
    return {
      element: make("div", {class: "filters"}, field("order", "Order", order), field("resource", "Colour", resource), field("which", "Show", state), field("find", "Find", find), count),
      get order() { return order.value; },
      get resource() { return resource.value; },
      /** Offers the orders and resources that these nodes have; a choice stays where it can. */
      offer(nodes) {
        const levels = model.levels(nodes), few = levels.filter(level => model.isGrouping(nodes, level));
        const named = some => some.map(level => ["level:" + level, "by " + level]);
        choices(order, [...named(few), ...ORDERS, ...named(levels.filter(level => !few.includes(level)))]);
        choices(resource, [["", "fullest resource"], ...model.totals(nodes).map(one => [one.name, one.name])]);
      },
      reset() { order.replaceChildren(); resource.replaceChildren(); state.value = "all"; find.value = ""; },
      matches: node => model.STATES[state.value].holds(node) && model.isNamed(node, find.value.trim().toLowerCase()),
      /** Says how many are shown, where it is not all. */
      counted(some, all) { count.textContent = some === all ? "" : some + " of " + plural(all, "node"); }
    };
  }

  /** Hides the elements of nodes that do not match, and headings of groups with none; answers how many are shown. */
  function filter(container, matches) {
    let shown = 0;
    for (const group of container.querySelectorAll(".cells, .fleet")) {
      const ones = [...group.children];
      for (const one of ones) {
        one.hidden = !matches(one.dataset.cell ?? one.dataset.node);
        shown += one.hidden ? 0 : 1;
      }
      const any = ones.find(one => !one.hidden);
      if (group.matches(".cells") && any && !ones.some(one => !one.hidden && one.tabIndex === 0)) {
        for (const one of ones) one.tabIndex = one === any ? 0 : -1;
      }
      group.hidden = !any;
      if (group.previousElementSibling?.matches("h3")) group.previousElementSibling.hidden = !any;
    }
    return shown;
  }

  /** The heading of a group: its nodes, how full they are together, and what is left to share in a domain. */
  function heading(name, nodes, resource, shared = []) {
    const most = model.fullest(nodes, resource);
    return name + " (" + nodes.length + (most.name ? ", " + model.percent(most.share) + " of " + most.name : "")
      + shared.map(one => "; " + shown(one.left) + " of " + shown(one.capacity) + " " + one.name + " left to share").join("") + ")";
  }

  /** One stop of Tab for each group of cells; the arrows, Home and End go from cell to cell. */
  function moveFocus(event) {
    const cells = [...event.currentTarget.children].filter(one => !one.hidden), at = cells.indexOf(document.activeElement);
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
  function card(node, chip, tools) {
    const gauges = [], marks = make("ul", {class: "marks"}), chips = make("ul", {class: "chips"});
    for (const one of node.resources) {
      if (one.supply) gauges.push(gauge(one, node)); else marks.append(mark(one));
    }
    if (node.cordoned) marks.append(make("li", {class: "ward"}, make("b", {}, "cordoned"), ": takes nothing new"));
    for (const one of node.before) chips.append(make("li", {}, make("span", {class: "chip", title: "sat here before"}, make("i"), one.name)));
    for (const one of node.here) {
      chips.append(make("li", {}, chip(one)));
    }
    return make("article", {class: "sheet node", "data-node": node.name},
      make("header", {}, make("h3", {}, node.name), make("span", {}, plural(node.here.length + node.before.length, "workload"))),
      ...gauges, ...(marks.children.length ? [marks] : []), ...(chips.children.length ? [chips] : []), ...(tools ? [tools(node)] : []));
  }

  function gauge(one, node) {
    const label = shown(one.left) + " of " + shown(one.capacity) + " left";
    const amount = holder => Number(model.own(holder.requirements, one.name) ?? 0);
    const parts = [...node.before.map(old => ({amount: amount(old), kind: "before", title: old.name + ": " + shown(amount(old))})),
      ...node.here.map(part => ({amount: amount(part), kind: colour(part), name: part.name, title: part.name + ": " + shown(amount(part))}))];
    return make("div", {class: "gauge"}, make("p", {}, make("span", {}, one.name), make("span", {}, label)), bar(one.name + ": " + label, parts, one.capacity));
  }

  function mark(one) {
    if (one.capacity === -Infinity) return make("li", {class: "ward"}, "ward ", make("b", {}, one.name), ": keeps off what does not tolerate it");
    if (one.capacity === Infinity) return make("li", {}, make("b", {}, one.name), ": never used up");
    if (one.left < 0) return make("li", {class: "ward"}, "shortcoming ", make("b", {}, one.name), ": " + shown(one.left));
    if (one.capacity < 0) return make("li", {}, "shortcoming ", make("b", {}, one.name), ": " + shown(one.capacity) + ", made up for");
    return make("li", {}, "tag ", make("b", {}, one.name));
  }

  /** Moves the focus to the result of a button's action, unless a person types in a field outside the button's form. */
  function focusOn(result, button) {
    const field = document.activeElement;
    if (field?.matches("input, select, textarea") && !field.form?.contains(button)) return;
    result.focus({preventScroll: true});
    result.scrollIntoView({block: "nearest"});
  }

  function table(head, rows) {
    const body = make("tbody", {}, ...rows.map(row => make("tr", {}, ...row.map((cell, index) => make("td", index > 3 || ["Nodes", "Now", "Then"].includes(head[index]) ? {class: "n"} : {}, cell)))));
    return make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": head.join(", ")}, make("table", {}, make("thead", {}, make("tr", {}, ...head.map(one => one ? make("th", {scope: "col"}, one) : make("td")))), body));
  }

  return {$, make, plural, shown, headers, bar, totals, legend, cells, controls, filter, heading, fill, card, colour, table, choices, focusOn};
})();
