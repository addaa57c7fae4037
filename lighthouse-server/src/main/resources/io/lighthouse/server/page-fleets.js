/** A fleet as its log makes it, without a page: the state at one generation, and each event carried out on it. */
class FollowedFleet {
  constructor(name, problem, generation) {
    this.name = name;
    this.generation = generation;
    /** The id of the event that was carried out last, by which the service knows the entry again; at first a generation alone. */
    this.place = String(generation);
    this.nodes = new Map();
    this.where = new Map();
    this.standings = new Map();
    for (const node of problem.nodes) this.#add(node);
  }

  /** Carries out an event; answers the names of the nodes that it touched. */
  carryOut(event, id) {
    if (event.generation !== this.generation + 1) throw new Error("generation " + event.generation + " came behind " + this.generation);
    const touched = new Set();
    for (const change of model.own(event, "changes") ?? []) this.#change(change).forEach(name => touched.add(name));
    for (const name of touched) this.standings.delete(name);
    this.generation = event.generation;
    this.place = id;
    return touched;
  }

  #change(change) {
    switch (change.change) {
      case "assign": return [this.#place(FollowedFleet.#coloured(model.placed(change.assigned)), change.node)];
      case "release": return [this.#leave(change.workload).node];
      case "move": {
        const {node, workload} = this.#leave(change.workload);
        return [node, this.#place(workload, change.to)];
      }
      case "add-node": return [this.#add(change.added)];
      case "remove-node": this.nodes.delete(change.node); return [change.node];
      case "resize": this.nodes.get(change.node).capacity = FollowedFleet.#quantities(change.resources); return [change.node];
      case "cordon": case "uncordon": this.nodes.get(change.node).cordoned = change.change === "cordon"; return [change.node];
      case "regroup": return [this.where.get(change.workload)];
      case "declare": case "undeclare": case "resize-domain": case "cordon-domain": case "uncordon-domain": return [];
      default: throw new Error("unknown change " + change.change);
    }
  }

  /** A workload with the colour of those that are named like it. */
  static #coloured = workload => ({...workload, at: model.hue(workload.name)});

  static #quantities = resources => Object.fromEntries(Object.entries(resources).map(([name, amount]) => [name, model.quantity(amount)]));

  #add(given) {
    const {name, cordoned, domains, capacity, before} = model.account(given, [], 0);
    this.nodes.set(name, {name, cordoned, domains, capacity, here: new Map(before.map(one => [one.name, FollowedFleet.#coloured(one)]))});
    for (const one of before) this.where.set(one.name, name);
    return name;
  }

  #place(workload, name) {
    this.nodes.get(name).here.set(workload.name, workload);
    this.where.set(workload.name, name);
    return name;
  }

  #leave(name) {
    const node = this.nodes.get(this.where.get(name)), workload = node.here.get(name);
    node.here.delete(name);
    this.where.delete(name);
    return {node: node.name, workload};
  }

  /** A node as it is drawn; what was not touched is not counted again. */
  standing(name) {
    const node = this.nodes.get(name);
    if (!this.standings.has(name)) this.standings.set(name, model.standing({...node, before: [], here: [...node.here.values()]}));
    return this.standings.get(name);
  }

  /** All nodes as they are drawn, in their order. */
  get all() { return [...this.nodes.keys()].map(name => this.standing(name)); }
}

/** What a stream of events says, piece by piece: the form of text/event-stream, of which the service uses the fields id, event and data. */
class EventLines {
  #rest = "";
  #event = {};

  /** The events that are complete with this piece. */
  read(piece) {
    const lines = (this.#rest + piece).split("\n"), events = [];
    this.#rest = lines.pop();
    for (const line of lines) {
      const colon = line.indexOf(": ");
      if (colon > 0) this.#event[line.slice(0, colon)] = line.slice(colon + 2);
      if (line === "" && this.#event.data !== undefined) events.push(this.#event);
      if (line === "") this.#event = {};
    }
    return events;
  }
}

/** The fleets that the service keeps: a list, and one that is followed as it changes. */
(() => {
  const {$, make, plural, headers, totals, legend, cells, controls, filter, heading, fill, card} = parts;
  const CARDS = 60, LISTED = 24, TOLD = 50, NAMED = 3, FRESH = 3000, POLL = 5000, SILENCE = 40000, SOON = 500, LATE = 10000;

  /** The fleets as they were listed last; whether all are shown. */
  let listed = [], all = false, signs = "";
  /** A token is asked for: until it is given, nobody asks for the list again and again. */
  let locked = false;
  /** What is followed: its state, what there is to draw, and how to stop. */
  let open = null;

  async function ask(path) {
    const response = await fetch(path, {headers: headers({Accept: "application/json, application/problem+json"})});
    const text = await response.text();
    if (response.status === 401) { locked = true; $("tokenrow").hidden = false; }
    if (!response.ok) throw new Refused(response.status, model.exact(text).detail);
    return {response, value: model.parsed(text)};
  }

  /** The service's no; what else goes wrong is tried again. */
  class Refused extends Error {
    constructor(status, detail) { super(detail); this.status = status; }
    get lasting() { return this.status >= 400 && this.status < 500 && this.status !== 429; }
  }

  async function list() {
    const found = [];
    try {
      let next = "";
      do {
        const {value} = await ask("/fleets?limit=1000" + next);
        found.push(...value.fleets);
        next = value.next ? "&after=" + encodeURIComponent(value.next) : "";
      } while (next);
    } catch { return; }
    const now = JSON.stringify(found);
    if (now !== signs) { signs = now; listed = found; showList(); }
  }

  function showList() {
    const focused = document.activeElement?.dataset.fleet;
    const some = all ? listed : listed.slice(0, LISTED);
    $("fleetlist").replaceChildren(...some.map(followed).map(one => make("li", {}, make("button", {type: "button", class: "chip", "data-fleet": one.fleet, "aria-pressed": String(one.fleet === open?.name),
      onclick: () => one.fleet === open?.name ? close() : follow(one.fleet)}, make("b", {}, one.fleet), plural(one.workloads, "workload") + " on " + plural(one.nodes, "node")))));
    if (focused !== undefined) document.querySelector("#fleetlist [data-fleet='" + CSS.escape(focused) + "']")?.focus();
    $("fleethint").textContent = listed.length ? "Press one to follow it as it changes." : "None yet: PUT /fleets/NAME creates one.";
    $("morefleets").hidden = listed.length <= some.length;
    $("morefleets").textContent = "Show all " + listed.length;
    $("kept").hidden = false;
  }

  /** The counts of the fleet that is followed are those that are shown, not those of the last list. */
  const followed = one => one.fleet === open?.name && open.fleet ? {fleet: one.fleet, nodes: open.fleet.nodes.size, workloads: open.fleet.where.size} : one;

  function close() {
    open?.stopping.abort();
    open = null;
    $("live").hidden = true;
    delete document.body.dataset.live;
    history.replaceState(null, "", location.pathname);
    showList();
  }

  /** Follows a fleet until another is chosen, or there is nothing more to follow. */
  async function follow(name) {
    open?.stopping.abort();
    const mine = open = {name, fleet: null, stopping: new AbortController(), touched: new Set(), fresh: new Map(), told: [], drawing: false, wait: SOON};
    history.replaceState(null, "", location.pathname + "#fleet=" + encodeURIComponent(name));
    $("live").hidden = true;
    for (const id of ["livestate", "liveverdict", "livetotals", "livenodes", "livelegend", "livecard", "livelog"]) $(id).replaceChildren();
    document.body.dataset.live = "";
    live.follow(mine);
    tools.reset();
    showList();
    while (open === mine) {
      try {
        if (!mine.fleet) await take(mine);
        await events(mine);
      } catch (failure) {
        if (open !== mine) return;
        if (failure instanceof Refused && failure.status === 410) {
          mine.fleet = null; // The log does not go back so far any more.
        } else if (failure instanceof Refused && failure.status === 409) {
          lost(mine); // The log does not go so far any more.
        } else if (failure instanceof Refused && failure.lasting) {
          say(mine, failure.message, "over");
          return;
        } else {
          say(mine, "Reconnecting", "away");
        }
      }
      if (mine.over) return;
      await new Promise(done => setTimeout(done, mine.wait));
      mine.wait = Math.min(LATE, 2 * mine.wait);
    }
  }

  /** Takes the whole fleet as it is now. */
  async function take(mine) {
    const {response, value} = await ask("/fleets/" + encodeURIComponent(mine.name) + "/problem");
    if (open !== mine) return;
    mine.fleet = new FollowedFleet(mine.name, value, Number(/"g(\d+)/.exec(response.headers.get("ETag"))[1]));
    mine.strategy = value.strategy;
    draw(mine);
  }

  /** The store has lost what was told: it is not told any more, and the fleet is taken anew. */
  function lost(mine) {
    mine.fleet = null;
    mine.told = [];
  }

  /** Reads what comes behind what is known, until the stream ends. */
  async function events(mine) {
    const cut = new AbortController(), stop = () => cut.abort();
    mine.stopping.signal.addEventListener("abort", stop);
    let silence = setTimeout(stop, SILENCE);
    try {
      const response = await fetch("/fleets/" + encodeURIComponent(mine.name) + "/events", {signal: cut.signal,
        headers: headers({Accept: "text/event-stream", "Last-Event-ID": mine.fleet.place})});
      if (response.status === 401) $("tokenrow").hidden = false;
      if (!response.ok) throw new Refused(response.status, model.exact(await response.text()).detail);
      const lines = new EventLines(), reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = {}; !piece.done; piece = await reader.read()) {
        clearTimeout(silence);
        silence = setTimeout(stop, SILENCE);
        if (open !== mine) return;
        say(mine, "Live", "live");
        for (const event of lines.read(piece.value ?? "")) {
          mine.wait = SOON;
          if (event.event === "rewound") lost(mine);
          if (!mine.fleet) return;
          carryOut(mine, event.event, event.id, model.parsed(event.data));
          if (mine.over || !mine.fleet) return;
        }
      }
      throw new Error("the stream ended");
    } finally {
      clearTimeout(silence);
      mine.stopping.signal.removeEventListener("abort", stop);
      cut.abort();
    }
  }

  function carryOut(mine, kind, id, event) {
    try {
      const before = mine.fleet.nodes.size, until = performance.now() + FRESH;
      for (const name of mine.fleet.carryOut(event, id)) {
        mine.touched.add(name);
        mine.fresh.set(name, until);
      }
      mine.rebuild ||= before !== mine.fleet.nodes.size || [...mine.touched].some(name => !mine.fleet.nodes.has(name));
    } catch {
      mine.fleet = null; // What cannot be carried out is taken whole.
      return;
    }
    mine.told.unshift(told(kind, event));
    mine.told.length = Math.min(mine.told.length, TOLD);
    if (kind === "deleted") {
      mine.over = true;
      say(mine, "Deleted", "over");
    }
    if (!mine.drawing) {
      mine.drawing = true;
      requestAnimationFrame(() => { mine.drawing = false; if (open === mine && mine.fleet) update(mine); });
    }
  }

  /** An event in words. */
  function told(kind, event) {
    const changes = model.own(event, "changes") ?? [], names = changes.slice(0, NAMED).map(worded);
    if (changes.length > NAMED) names.push("and " + (changes.length - NAMED) + " more");
    return make("li", {}, make("b", {}, "g" + event.generation), make("time", {datetime: event.at}, event.at.slice(11, 19)), make("span", {}, names.join("; ") || kind));
  }

  function worded(change) {
    switch (change.change) {
      case "assign": return model.nameOf(change.assigned) + " came to " + change.node;
      case "release": return change.workload + " was released";
      case "add-node": return model.nameOf(change.added) + " was added";
      case "declare": return "declare " + change.declared.level + " " + change.declared.name;
      default: return model.changed(change);
    }
  }

  /** The state of the connection is told once when it changes, and nothing else is read out: a busy fleet would never be quiet. */
  function say(mine, words, state) {
    if ($("livestate").textContent === words && !$("live").hidden) return;
    $("livestate").textContent = words;
    $("live").dataset.state = state;
    $("livename").textContent = mine.name;
    $("live").hidden = false;
  }

  const mapped = mine => mine.fleet.nodes.size > CARDS;
  const tools = controls("live", again => { if (open?.fleet) { if (again) draw(open); else show(open); } });
  $("livetools").append(tools.element);

  /** Draws all of it; the focus stays. */
  const draw = mine => keepingFocus(() => drawAll(mine));

  function drawAll(mine) {
    const nodes = mine.fleet.all;
    mine.touched.clear();
    mine.rebuild = false;
    tools.offer(nodes);
    live.offerLevels(model.levels(nodes));
    $("livelegend").replaceChildren(...(mapped(mine) ? legend() : []));
    const groups = model.grouped(nodes, tools.order, tools.resource), options = {resource: tools.resource, all: nodes.length};
    mine.headings = groups.filter(([name]) => name).map(([name, some]) => ({name, nodes: some.map(node => node.name), element: make("h3")}));
    const headings = new Map(mine.headings.map(one => [one.name, one.element]));
    $("livenodes").replaceChildren(...groups.flatMap(([name, some]) => [...(name ? [headings.get(name)] : []),
      mapped(mine) ? cells(name || "Nodes of " + mine.name, some, cell => press(mine, cell.dataset.cell), options) : make("div", {class: "fleet"}, ...some.map(node => card(node, live.chip, live.tools)))]));
    mine.elements = new Map([...$("livenodes").querySelectorAll("[data-node], [data-cell]")].map(one => [one.dataset.node ?? one.dataset.cell, one]));
    if (!mapped(mine) || !mine.fleet.nodes.has(mine.pressed)) mine.pressed = undefined;
    press(mine, mine.pressed);
    finish(mine, nodes);
  }

  /** Draws what was touched. */
  function update(mine) {
    if (mine.rebuild) { draw(mine); return; }
    keepingFocus(() => {
      for (const name of mine.touched) {
        const node = mine.fleet.standing(name), one = mine.elements.get(name);
        if (mapped(mine)) fill(one, node, tools.resource); else one.replaceWith(newCard(mine, node));
        if (name === mine.pressed) press(mine, name);
      }
    });
    mine.touched.clear();
    finish(mine, mine.fleet.all);
  }

  /** Redraws nodes. The focus goes to the button that replaces the one that had it; the page does not scroll. */
  function keepingFocus(redraw) {
    const nodes = document.querySelector("#live .nodes");
    const had = nodes.contains(document.activeElement) ? Object.entries(document.activeElement.dataset)[0] : undefined;
    redraw();
    if (had) nodes.querySelector("button[data-" + had[0] + "='" + CSS.escape(had[1]) + "']")?.focus({preventScroll: true});
  }

  /** Shows the nodes that match the filter. */
  function show(mine) {
    tools.counted(filter($("livenodes"), name => tools.matches(mine.fleet.standing(name))), mine.fleet.nodes.size);
  }

  function newCard(mine, node) {
    const one = card(node, live.chip, live.tools);
    mine.elements.set(node.name, one);
    return one;
  }

  /** Shows the card of a cell's node. */
  function press(mine, name) {
    mine.pressed = name;
    for (const one of document.querySelectorAll("#livenodes [aria-pressed='true']")) one.setAttribute("aria-pressed", "false");
    if (name !== undefined) mine.elements.get(name).setAttribute("aria-pressed", "true");
    $("livecard").replaceChildren(...(name === undefined ? [] : [card(mine.fleet.standing(name), live.chip, live.tools)]));
  }

  function finish(mine, nodes) {
    const used = nodes.filter(node => node.before.length + node.here.length > 0).length;
    $("livename").textContent = mine.name;
    $("liveverdict").replaceChildren(make("strong", {}, plural(mine.fleet.where.size, "workload")),
      make("span", {}, used + " of " + plural(nodes.length, "node") + " in use"), make("span", {}, mine.strategy ?? ""), make("span", {}, "generation " + mine.fleet.generation));
    $("livetotals").replaceChildren(...totals(model.totals(nodes)));
    $("livelog").replaceChildren(...mine.told);
    $("livequiet").hidden = mine.told.length > 0;
    for (const one of mine.headings) one.element.textContent = heading(one.name, one.nodes.map(name => mine.fleet.standing(name)), tools.resource);
    show(mine);
    live.aged();
    if (mine.listed !== mine.fleet.where.size + "/" + nodes.length) showList();
    mine.listed = mine.fleet.where.size + "/" + nodes.length;
    $("live").dataset.generation = mine.fleet.generation;
    $("live").hidden = false;
    lightUp(mine);
  }

  /** What changed is lit for a while, and then no more. */
  function lightUp(mine) {
    const now = performance.now();
    for (const [name, until] of mine.fresh) {
      mine.elements.get(name)?.classList.toggle("changed", until > now);
      if (until <= now) mine.fresh.delete(name);
    }
    clearTimeout(mine.dimming);
    if (mine.fresh.size) mine.dimming = setTimeout(() => { if (open === mine) lightUp(mine); }, Math.max(50, Math.min(...mine.fresh.values()) - now));
  }

  if (document.body.dataset.fleets === undefined) return;
  $("closelive").addEventListener("click", close);
  $("morefleets").addEventListener("click", () => { all = true; showList(); });
  $("token").addEventListener("change", async () => { locked = false; await list(); if (open) follow(open.name); });
  setInterval(() => { if (!document.hidden && !locked) list(); }, POLL);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) list(); });
  const wanted = /^#fleet=(.+)$/.exec(location.hash);
  list();
  if (wanted) follow(decodeURIComponent(wanted[1]));
})();
