"use strict";
(() => {
  const EXAMPLES = {
    "A small fleet": `{
  "strategy": "BinPack",
  "rubric": {"cpu": 1, "mem": 0.5},
  "nodes": [
    {"id": "harbour-1", "resources": {"cpu": 8, "mem": 32}},
    {"id": "harbour-2", "resources": {"cpu": 8, "mem": 16}},
    {"id": "harbour-3", "resources": {"cpu": 4, "mem": 8}},
    {"id": "harbour-4", "resources": {"cpu": 2.5, "mem": 6},
     "workloads": [
       {"id": "cron", "requirements": {"cpu": 1.5, "mem": 2}}]}
  ],
  "workloads": [
    {"id": "web-1", "requirements": {"cpu": 2, "mem": 4},
     "aversion_groups": ["web"]},
    {"id": "web-2", "requirements": {"cpu": 2, "mem": 4},
     "aversion_groups": ["web"]},
    {"id": "db", "requirements": {"cpu": 4, "mem": 24}},
    {"id": "cache", "requirements": {"cpu": 0.5, "mem": 6}},
    {"id": "queue", "requirements": {"cpu": 1, "mem": 3}},
    {"id": "search", "requirements": {"cpu": 3, "mem": 10}},
    {"id": "reports", "requirements": {"cpu": 6, "mem": 20}},
    {"id": "worker-1", "requirements": {"cpu": 1.5, "mem": 2}},
    {"id": "worker-2", "requirements": {"cpu": 1.5, "mem": 2}},
    {"id": "training", "requirements": {"cpu": 4, "mem": 8, "gpu": 1}}
  ]
}`,
    "Tags, wards and shortcomings": `{
  "nodes": [
    {"id": "plain", "resources": {"cpu": 2}},
    {"id": "tagged", "resources": {"cpu": 4, "ssd": 0}},
    {"id": "haunted", "resources": {"cpu": 8, "spiders": -inf}},
    {"id": "draughty", "resources": {"cpu": 8, "warmth": -5}}
  ],
  "workloads": [
    {"id": "anywhere", "requirements": {"cpu": 2}},
    {"id": "needs-ssd", "requirements": {"cpu": 3, "ssd": 0}},
    {"id": "brave", "requirements": {"cpu": 6}, "tolerations": ["spiders"]},
    {"id": "heater", "requirements": {"cpu": 1, "warmth": -5}},
    {"id": "unlucky", "requirements": {"cpu": 9}}
  ]
}`,
    "Round robin": `{
  "strategy": "RoundRobin",
  "nodes": [
    {"id": "node-1", "resources": {"cpu": 6, "mem": 8, "disk": 65}},
    {"id": "node-2", "resources": {"cpu": 6, "mem": 6, "disk": 20}},
    {"id": "node-3", "resources": {"cpu": 4, "mem": 4, "disk": 50}}
  ],
  "workloads": [
    {"id": "req-1", "requirements": {"cpu": 1, "mem": 2, "disk": 10}},
    {"id": "req-2", "requirements": {"cpu": 3, "mem": 2, "disk": 5}},
    {"id": "req-3", "requirements": {"cpu": 2, "mem": 4, "disk": 50}}
  ]
}`};
  /** A thousand nodes of four racks; what a heat map is for. */
  EXAMPLES["A thousand nodes"] = (() => {
    const nodes = [], workloads = [];
    for (let i = 0; i < 1000; i++) nodes.push({id: "rack" + (1 + i % 4) + "-" + (1 + (i >> 2)), domains: {rack: "rack" + (1 + i % 4), room: i % 4 < 2 ? "north" : "south"}, resources: {cpu: [16, 32, 64][i % 3], mem: [64, 64, 256][i % 3]}});
    for (let i = 0; i < 4000; i++) workloads.push({id: "job-" + (i + 1), requirements: {cpu: 1 + i * 7 % 13, mem: 2 + i * 11 % 61}});
    const lines = all => all.map(one => "    " + JSON.stringify(one)).join(",\n");
    return `{\n  "strategy": "RoundRobin",\n  "rubric": {"cpu": 1, "mem": 0.25},\n  "nodes": [\n${lines(nodes)}\n  ],\n  "workloads": [\n${lines(workloads)}\n  ]\n}`;
  })();
  const ORDERS = [["fullest", "fullest first"], ["given", "as given"], ["name", "by name"], ["tag", "by tag"]];
  const CARDS = 60, FIRST = 24, CHIPS = 100;
  const {$, make, plural, shown, headers, bar, totals, legend, cells, card, colour, table} = parts;
  /** The strategies, each once. */
  let strategies = [];
  /** What is shown: the text that was sent, the fleet, how many cards and refusals are drawn. */
  let view = null, lit = null, latest = 0, done = 0;

  async function listStrategies() {
    try {
      const answer = await fetch("/strategies", {headers: headers({})});
      if (answer.status === 401) $("tokenrow").hidden = false;
      if (!answer.ok) return;
      strategies = (await answer.json()).strategies.filter(one => !one.refused);
    } catch { return; }
    const select = $("strategy"), chosen = select.value || select.dataset.wanted || "";
    select.replaceChildren(make("option", {value: ""}, "as the problem says"),
      ...strategies.map(one => make("option", {value: one.name, title: one.description}, one.name)));
    select.value = strategies.some(one => one.name === chosen) ? chosen : "";
    tell();
  }

  function tell() {
    const one = strategies.find(strategy => strategy.name === $("strategy").value);
    $("about").textContent = one ? one.name + ": " + one.description + "." : "";
  }

  async function call(path, text) {
    const response = await fetch(path, {method: "POST", body: text,
      headers: headers({"Content-Type": "application/json", Accept: "application/json, application/problem+json"})});
    if (response.status === 401) $("tokenrow").hidden = false;
    const answer = model.exact(await response.text());
    return response.ok ? {answer} : {problem: answer};
  }

  /** Does what takes time with the buttons off, and shows its failure. */
  async function working(work) {
    $("go").disabled = $("comparing").disabled = $("suppose").disabled = $("size").disabled = true;
    try {
      await work(++latest);
    } catch (failure) {
      showFaults({title: "The service did not answer", detail: String(failure.message ?? failure)});
    } finally {
      $("go").disabled = $("comparing").disabled = $("suppose").disabled = $("size").disabled = false;
      document.body.dataset.done = ++done;
    }
  }

  const place = scroll => working(async turn => {
    const text = model.asked($("problem").value, $("strategy").value);
    const {answer, problem} = await call("/try-assign-workloads", text);
    if (turn !== latest) return;
    if (problem) showFaults(problem, scroll); else show(text, answer);
    if (scroll && matchMedia("(max-width: 60rem)").matches) $(problem ? "faults" : "summary").scrollIntoView({block: "start"});
  });

  const compare = () => working(async () => {
    const rows = [];
    for (const strategy of strategies) {
      const text = model.asked($("problem").value, strategy.name);
      const {answer, problem} = await call("/try-assign-workloads", text);
      rows.push(problem ? {name: strategy.name, problem} : {name: strategy.name, text, answer, fleet: model.fleet(model.parsed(text), answer)});
    }
    if (rows.every(row => row.problem)) { showFaults(rows[0].problem, true); return; }
    const best = rows.filter(row => row.fleet).sort((a, b) => b.fleet.placed - a.fleet.placed || a.fleet.used - b.fleet.used || a.fleet.stranded - b.fleet.stranded)[0];
    $("comparison").replaceChildren(make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "All strategies side by side"}, make("table", {},
      make("thead", {}, make("tr", {}, ...["Strategy", "Placed now", "Nodes in use", "Stranded on them"].map(one => make("th", {scope: "col"}, one)))),
      make("tbody", {}, ...rows.map(row => compared(row, row === best))))),
      make("p", {class: "hint"}, "\u2605 places the most; of those, on the fewest nodes; of those, with the least stranded."));
    $("faults").hidden = true;
    $("compared").hidden = false;
    $("status").textContent = "Compared " + plural(rows.length, "strategy").replace("ys", "ies") + "; best: " + best.name;
    $("compared").scrollIntoView({block: "nearest"});
    $("compared").focus({preventScroll: true});
  });

  function compared(row, best) {
    if (row.problem) return make("tr", {}, make("th", {scope: "row"}, row.name), make("td", {colspan: "3"}, row.problem.detail ?? row.problem.title));
    const one = row.fleet, cell = (share, kind, label) => make("td", {}, make("p", {}, label), bar(row.name + ": " + label, [{amount: share, kind, title: label}], 1));
    const open = make("button", {type: "button", onclick: () => { $("strategy").value = row.name; tell(); show(row.text, row.answer, true); }}, row.name);
    return make("tr", best ? {class: "best"} : {}, make("th", {scope: "row"}, open),
      cell(one.workloads ? one.placed / one.workloads : 0, "good", one.placed + " of " + one.workloads),
      cell(one.nodes.length ? one.used / one.nodes.length : 0, "good", one.used + " of " + one.nodes.length),
      cell(one.stranded, "warm", model.percent(one.stranded)));
  }

  function showFaults(problem, focus) {
    clear();
    const list = make("ul");
    for (const fault of problem.errors ?? []) {
      list.append(make("li", {}, make("button", {type: "button", title: "Go there", onclick: () => goTo(fault)}, fault.pointer || "/"), fault.detail));
    }
    $("faults").replaceChildren(make("h2", {}, problem.title ?? "Error"), ...(problem.errors ? [list] : [make("p", {}, problem.detail ?? "")]));
    $("faults").hidden = false;
    $("status").textContent = (problem.title ?? "Error") + ". " + (problem.detail ?? "");
    if (focus) $("faults").focus();
  }

  function goTo(fault) {
    const box = $("problem"), lines = box.value.split("\n");
    let at = 0;
    for (let i = 0; i < fault.line - 1 && i < lines.length; i++) at += lines[i].length + 1;
    at += fault.column - 1;
    box.focus();
    box.setSelectionRange(at, Math.min(at + 1, box.value.length));
    box.scrollTop = Math.max(0, box.scrollHeight * (fault.line - 4) / lines.length);
  }

  function clear() {
    for (const id of ["summary", "faults", "compared", "refused", "morerefused", "why", "heat", "supposed", "picture", "empty", "more"]) $(id).hidden = true;
    $("draw").setAttribute("aria-expanded", "false");
    $("fleet").replaceChildren();
    view = null;
  }

  function show(text, answer, keepComparison) {
    const comparing = keepComparison && !$("compared").hidden;
    clear();
    $("compared").hidden = !comparing;
    const fleet = model.fleet(model.parsed(text), answer);
    view = {text, fleet, cards: 0, chips: 0};
    lit = null;
    $("verdict").replaceChildren(make("strong", {}, model.summary(fleet)),
      make("span", {}, fleet.used + " of " + plural(fleet.nodes.length, "node") + " in use"));
    $("status").textContent = $("verdict").textContent;
    $("totals").replaceChildren(...totals(fleet.totals));
    $("summary").hidden = false;
    $("refusedtitle").textContent = fleet.failures.length + " refused: press one to see why";
    $("refusals").replaceChildren();
    $("refused").hidden = fleet.failures.length === 0;
    moreRefused();
    if (fleet.nodes.length > CARDS) showHeat(); else moreCards();
  }

  /** The orders of the heat map: the usual ones, and one for each level of domains; what was chosen stays if it can. */
  function showOrders() {
    const chosen = $("order").value, levels = model.levels(view.fleet.nodes).map(level => ["level:" + level, "by " + level]);
    $("order").replaceChildren(...[...ORDERS, ...levels].map(([value, name]) => make("option", {value}, name)));
    $("order").value = [...ORDERS, ...levels].some(([value]) => value === chosen) ? chosen : ORDERS[0][0];
  }

  const heading = (name, nodes) => {
    const most = model.fullest(nodes);
    const domain = view.fleet.domains.find(one => "level:" + one.level === $("order").value && one.name === name);
    const shared = (domain?.shared ?? []).map(one => "; " + shown(one.left) + " of " + shown(one.capacity) + " " + one.name + " left to share").join("");
    return name + " (" + nodes.length + (most.name ? ", " + model.percent(most.share) + " of " + most.name : "") + shared + ")";
  };

  function showHeat() {
    showOrders();
    $("heattitle").textContent = plural(view.fleet.nodes.length, "node") + " by their fullest resource: press one for its card";
    $("legend").replaceChildren(...legend());
    const groups = model.grouped(view.fleet.nodes, $("order").value);
    $("cells").replaceChildren(...groups.flatMap(([name, nodes]) => [
      ...(name ? [make("h3", {}, heading(name, nodes))] : []),
      cells(name || "All nodes", nodes, showCard)]));
    $("heat").hidden = false;
  }

  function showCard(cell, node) {
    for (const one of document.querySelectorAll("#cells button[aria-pressed='true']")) one.setAttribute("aria-pressed", "false");
    cell.setAttribute("aria-pressed", "true");
    $("fleet").replaceChildren(card(node, chip));
    $("fleet").scrollIntoView({block: "nearest"});
    $("status").textContent = node.name + ": " + plural(node.here.length + node.before.length, "workload");
  }

  function moreCards() {
    const nodes = view.fleet.nodes.slice(view.cards, view.cards + CARDS);
    $("fleet").append(...nodes.map(node => card(node, chip)));
    view.cards += nodes.length;
  }

  const chip = one => make("button", {type: "button", class: "chip " + colour(one), "aria-pressed": "false", "data-workload": one.name, onclick: () => light(one.name)}, make("i"), one.name);

  function light(name) {
    lit = lit === name ? null : name;
    for (const rect of document.querySelectorAll("#fleet svg rect")) rect.classList.toggle("dim", lit !== null && rect.dataset.workload !== lit);
    $("whyhere")?.parentElement.remove();
    const chosen = lit !== null && document.querySelector("#fleet .chip[data-workload='" + CSS.escape(lit) + "']");
    if (chosen) chosen.parentElement.after(make("li", {}, make("button", {type: "button", id: "whyhere", class: "chip", onclick: () => why(name)}, "Why here?")));
    for (const chip of document.querySelectorAll("#fleet .chip[data-workload]")) chip.setAttribute("aria-pressed", String(chip.dataset.workload === lit));
  }

  function moreRefused() {
    const names = view.fleet.failures.slice(view.chips, view.chips + (view.chips ? CHIPS : FIRST));
    $("refusals").append(...names.map(name => make("li", {}, make("button", {type: "button", class: "chip refused", "aria-expanded": "false", "aria-controls": "why",
      "data-workload": name, onclick: event => explain(event.currentTarget, name)}, name))));
    view.chips += names.length;
    const rest = view.fleet.failures.length - view.chips;
    $("morerefused").hidden = rest === 0;
    $("morerefused").textContent = "Show " + Math.min(CHIPS, rest) + " more of " + rest;
  }

  const said = words => make("p", {}, words);
  const missing = answer => said("BinPack asks that every name of the rubric is on every node and in every workload. Missing: " + (answer.missing_from_rubric ?? []).join(", "));

  /** What an answer says of the fleet that is shown, or why there is none; null where another fleet is shown meanwhile. */
  async function told(asked, path, text, words) {
    try {
      const {answer, problem} = await call(path, text);
      if (view !== asked) return null;
      return problem ? [said(problem.detail ?? problem.title)] : answer.missing_from_rubric ? [missing(answer)] : words(answer);
    } catch (failure) {
      return [said("The service did not answer: " + String(failure.message ?? failure))];
    }
  }

  /** Shows something in a section of its own, and goes there. */
  function tellIn(section, title, parts) {
    $(section).replaceChildren(make("h2", {}, title), ...parts);
    $(section).hidden = false;
    $(section).focus();
  }

  /** Reasons are asked for when somebody wants them. */
  async function explain(button, name) {
    const asked = view;
    for (const one of document.querySelectorAll("#refusals .chip")) one.setAttribute("aria-expanded", String(one === button));
    let refusal = null;
    const parts = await told(asked, "/explain-workload?words=true&workload=" + encodeURIComponent(name), asked.text, answer => {
      refusal = answer.refusal;
      return refusal ? reasons(refusal, asked, name) : [missing(answer)];
    });
    if (!parts) return;
    const near = new Set((refusal?.nearest ?? []).map(one => one.node));
    for (const one of document.querySelectorAll("#fleet [data-node], #cells [data-cell]")) one.classList.toggle("near", near.has(one.dataset.node ?? one.dataset.cell));
    tellIn("why", "Why not " + name + "?", parts);
  }

  const reasons = (refusal, asked, name) => [
    make("h3", {}, "Over all " + plural(refusal.nodes, "node")),
    table(["What", "Nodes"], refusal.counts.map(one => [one.words, String(one.nodes)])),
    make("h3", {}, "The nodes that came nearest"),
    table(["Node", "What"], refusal.nearest.flatMap(one => one.reasons.map((reason, index) => [index ? "" : one.node, reason.words]))),
    make("p", {class: "row"}, make("button", {type: "button", id: "remedy", onclick: event => remedies(event.currentTarget, asked, name)}, "What would have to change?"))];

  const sentence = words => words[0].toUpperCase() + words.slice(1) + ".";

  /** Looked for when somebody wants them: it may take as long as a plan. */
  async function remedies(button, asked, name) {
    button.disabled = true;
    const parts = await told(asked, "/explain-workload?words=true&workload=" + encodeURIComponent(name), model.also(asked.text, "remedies", true), ({remedies: found}) => found
      ? [said(sentence(found.words)), table(["Kind", "What would do"], found.remedies.map(one => [one.kind, one.words]))]
      : [said("It has a node when all is placed.")]);
    if (!parts || !button.isConnected) return;
    button.parentElement.replaceWith(make("div", {id: "remedies", tabindex: "-1"}, make("h3", {}, "What would have to change"), ...parts));
    $("remedies").focus();
  }

  /** What the service says when the problem has one more member, a list that somebody typed. */
  const beside = (path, member, input, title, words) => working(async () => {
    const asked = view, parts = await told(asked, path, model.also(asked.text, member, model.typed($(input).value)), words);
    if (!parts) return;
    tellIn("supposed", title, parts);
    $("status").textContent = $("supposed").innerText;
  });

  /** What would be if something of the fleet were otherwise, side by side with now. */
  const suppose = () => beside("/what-if", "changes", "changes", "What if", answer => [
    table(["", "Now", "Then"], [["Nodes", "nodes"], ["Nodes in use", "nodes_in_use"], ["Placed in all", "placed"], ["Refused", "refused"]].map(([word, of]) => [word, String(answer.now[of]), String(answer.then[of])])),
    make("h3", {}, answer.workloads.length ? plural(answer.workloads.length, "workload") + " otherwise" : "No workload is otherwise"),
    ...(answer.workloads.length ? [table(["Workload", "What", "Now on", "Then on"], answer.workloads.slice(0, CHIPS).map(one => [one.workload, one.what, one.now ?? "none", one.then ?? "none"]))] : []),
    ...(answer.workloads.length > CHIPS ? [said("and " + (answer.workloads.length - CHIPS) + " more")] : [])]);

  /** How many nodes of the kinds that are offered it would take to place all. */
  const count = () => beside("/size", "offers", "offers", "How many nodes", answer => [
    table(["Offer", "Nodes"], answer.nodes.map(one => [one.offer, String(one.nodes)])),
    said("For " + answer.price + "; " + (answer.optimal ? "nothing cheaper will do" : "nothing below " + answer.bound + " will do") + "."),
    ...(answer.unplaced.length ? [said("On none of them: " + answer.unplaced.join(", "))] : [])]);

  /** Why a placed workload has its node: the first candidates in the strategy's order, and what decided. */
  async function why(name) {
    const parts = await told(view, "/explain-workload?scores=true&workload=" + encodeURIComponent(name), view.text, ({chosen, choice}) => [
      said(chosen + ", of " + plural(choice.candidates.length, "candidate") + "; decided by " + choice.decider + (choice.detail ? ": " + choice.detail : "")),
      table(["Node", "Score", "Made of"], choice.candidates.slice(0, FIRST).map(one => [one.node, String(one.score ?? ""), one.terms.map(term => term.name + " " + term.value).join(", ")]))]);
    if (parts) tellIn("why", "Why " + name + " is where it is", parts);
  }

  /** The record of the decision that is shown, as lighthouse replay reads it. */
  async function saveRecord() {
    const response = await fetch("/try-assign-workloads?record=true", {method: "POST", body: view.text, headers: headers({"Content-Type": "application/json"})});
    const text = await response.text(), start = text.indexOf('"record":');
    if (!response.ok || start < 0) { $("status").textContent = "There is no record: " + text; return; }
    const record = text.slice(start + 9, -1);
    $("record").dataset.saved = record.length;
    download("record.json", "data:application/json;charset=utf-8," + encodeURIComponent(record));
  }

  /** The service's drawing of the fleet that is shown; asked for once, when somebody wants it. */
  async function picture() {
    const asked = view;
    if (asked.picture) return asked.picture;
    const response = await fetch("/picture", {method: "POST", body: asked.text,
      headers: headers({"Content-Type": "application/json", Accept: "image/svg+xml, application/problem+json"})});
    const text = await response.text();
    if (!response.ok) { const problem = model.exact(text); throw new Error(problem.detail ?? problem.title); }
    const image = new Image();
    image.alt = model.described(text);
    image.src = inline(text);
    await image.decode();
    return asked.picture = {text, image};
  }

  const inline = text => "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  const download = (name, address) => make("a", {download: name, href: address}).click();

  /** Does something with the drawing, and says so where there is none. */
  const drawing = work => async event => {
    const button = event.currentTarget, asked = view;
    button.disabled = true;
    try {
      const drawn = await picture();
      if (view === asked) work(drawn);
    } catch (failure) {
      $("status").textContent = String(failure.message ?? failure);
      $("picture").replaceChildren(make("h2", {}, "No drawing"), make("p", {}, $("status").textContent));
      $("picture").hidden = false;
    } finally {
      button.disabled = false;
    }
  };

  function showPicture({image}) {
    if (!$("picture").hidden) { $("picture").hidden = true; $("draw").setAttribute("aria-expanded", "false"); return; }
    $("picture").replaceChildren(make("h2", {}, "Picture"), make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Picture of the fleet"}, image));
    $("picture").hidden = false;
    $("draw").setAttribute("aria-expanded", "true");
    $("picture").scrollIntoView({block: "nearest"});
    $("picture").focus({preventScroll: true});
  }

  function savePng({image}) {
    const width = 2 * image.naturalWidth, height = 2 * image.naturalHeight, canvas = make("canvas", {width, height});
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    const png = canvas.toDataURL("image/png");
    download("placement.png", png);
    $("png").dataset.saved = png.length;
  }

  /** Copies a text; where the browser does not let us, it is shown to be copied by hand. */
  async function copy(button, text) {
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy:";
      if (!button.nextElementSibling?.matches("input")) button.after(make("input", {readonly: "", "aria-label": words}));
      button.nextElementSibling.value = text;
      button.nextElementSibling.select();
    }
    button.dataset.copied = text;
    $("status").textContent = button.textContent;
    setTimeout(() => { button.textContent = words; }, 2000);
  }

  async function copyLink() {
    const address = location.origin + location.pathname + "#" + await model.packed($("problem").value, $("strategy").value);
    history.replaceState(null, "", address);
    copy($("link"), address);
  }

  const box = $("problem");
  const open = file => file && file.text().then(text => { box.value = text; place(true); });
  for (const name of Object.keys(EXAMPLES)) $("example").append(make("option", {value: name}, name));
  $("example").addEventListener("change", () => { box.value = EXAMPLES[$("example").value]; place(); });
  $("order").addEventListener("change", showHeat);
  $("strategy").addEventListener("change", tell);
  $("file").addEventListener("change", () => open($("file").files[0]));
  $("morerefused").addEventListener("click", moreRefused);
  $("token").addEventListener("change", () => { listStrategies(); place(); });
  $("comparing").addEventListener("click", compare);
  $("link").addEventListener("click", copyLink);
  $("curl").addEventListener("click", () => copy($("curl"), model.curl(location.origin, view.text)));
  $("whatif").addEventListener("submit", event => { event.preventDefault(); suppose(); });
  $("howmany").addEventListener("submit", event => { event.preventDefault(); count(); });
  $("record").addEventListener("click", saveRecord);
  $("draw").addEventListener("click", drawing(showPicture));
  $("svg").addEventListener("click", drawing(({text}) => { $("svg").dataset.saved = text.length; download("placement.svg", inline(text)); }));
  $("png").addEventListener("click", drawing(savePng));
  $("form").addEventListener("submit", event => { event.preventDefault(); place(true); });
  addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); place(true); } });
  addEventListener("dragover", event => { event.preventDefault(); box.classList.add("over"); });
  addEventListener("dragleave", () => box.classList.remove("over"));
  addEventListener("drop", event => { event.preventDefault(); box.classList.remove("over"); open(event.dataTransfer.files[0]); });

  async function begin() {
    const linked = await model.unpacked(location.hash).catch(() => null);
    box.value = linked ? linked.text : Object.values(EXAMPLES)[0];
    $("strategy").dataset.wanted = linked ? linked.strategy : "";
    await listStrategies();
    await place();
  }
  begin();
})();
