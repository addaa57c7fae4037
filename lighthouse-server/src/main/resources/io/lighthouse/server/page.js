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
  const CARDS = 60, FIRST = 24, CHIPS = 100;
  const {$, make, plural, headers, bar, totals, legend, cells, controls, filter, heading, card, colour, table} = parts;
  const {said, call, missing, inline} = answers;
  const box = $("problem");
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

  /** Shows what is wrong with the problem, and where. The last answer stays. */
  function showFaults(problem, focus) {
    const list = make("ul"), errors = problem.errors ?? [];
    for (const fault of errors) {
      list.append(make("li", {}, make("button", {type: "button", title: "Go there", onclick: () => goTo(fault)}, "line " + fault.line + ", column " + fault.column), make("code", {}, fault.pointer || "/"), " " + fault.detail));
    }
    $("faults").replaceChildren(make("h2", {}, problem.title ?? "Error"), ...(errors.length ? [list] : [said(problem.detail ?? "")]),
      ...(view && view.text !== model.asked(box.value, $("strategy").value) ? [make("p", {class: "hint"}, "Below is the last answer. It is not of this text.")] : []));
    $("faults").hidden = false;
    mark(errors);
    $("status").textContent = (problem.title ?? "Error") + ". " + (problem.detail ?? "");
    if (focus) $("faults").focus();
  }

  /** Marks the lines of faults in the editor, behind its text. */
  function mark(faults) {
    const lines = box.value.split("\n"), faulty = [...new Set(faults.map(fault => fault.line))].filter(line => line >= 1 && line <= lines.length).sort((a, b) => a - b);
    const blocks = [];
    let from = 0;
    for (const line of faulty) {
      if (line - 1 > from) blocks.push(make("div", {}, lines.slice(from, line - 1).join("\n") + "\n"));
      blocks.push(make("mark", {"data-line": line}, lines[line - 1] || "\u200b"));
      from = line;
    }
    if (faulty.length) blocks.push(make("div", {}, lines.slice(from).join("\n") + "\n"));
    $("marks").replaceChildren(...blocks);
    $("marks").style.paddingRight = "calc(.6rem + " + Math.max(0, box.offsetWidth - box.clientWidth - 2) + "px)";
    $("marks").scrollTop = box.scrollTop;
    if (faulty.length) box.setAttribute("aria-invalid", "true"); else box.removeAttribute("aria-invalid");
  }

  function goTo(fault) {
    const lines = box.value.split("\n");
    let at = 0;
    for (let i = 0; i < fault.line - 1 && i < lines.length; i++) at += lines[i].length + 1;
    at += fault.column - 1;
    box.focus({preventScroll: true});
    box.scrollIntoView({block: "nearest"});
    box.setSelectionRange(at, Math.min(at + 1, box.value.length));
    box.scrollTop = Math.max(0, box.scrollHeight * (fault.line - 4) / lines.length);
  }

  function clear() {
    for (const id of ["summary", "faults", "compared", "refused", "morerefused", "why", "heat", "supposed", "picture", "empty", "more"]) $(id).hidden = true;
    $("draw").setAttribute("aria-expanded", "false");
    $("fleet").replaceChildren();
    mark([]);
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

  const heat = controls("", again => { if (view) { if (again) showHeat(); else filterHeat(); } });

  function showHeat() {
    const {nodes} = view.fleet;
    heat.offer(nodes);
    $("heattitle").textContent = plural(nodes.length, "node") + " by their " + (heat.resource || "fullest resource") + ": press one for its card";
    $("legend").replaceChildren(...legend());
    const shared = name => view.fleet.domains.find(one => "level:" + one.level === heat.order && one.name === name)?.shared;
    $("cells").replaceChildren(...model.grouped(nodes, heat.order, heat.resource).flatMap(([name, some]) => [
      ...(name ? [make("h3", {}, heading(name, some, heat.resource, shared(name)))] : []),
      cells(name || "All nodes", some, showCard, {resource: heat.resource, all: nodes.length})]));
    $("heat").hidden = false;
    filterHeat();
  }

  function filterHeat() {
    const byName = new Map(view.fleet.nodes.map(node => [node.name, node]));
    heat.counted(filter($("cells"), name => heat.matches(byName.get(name))), byName.size);
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

  /** What an answer says of the fleet that is shown, or why there is none; null where another fleet is shown meanwhile. */
  async function told(asked, path, text, words) {
    const parts = await answers.told(path, text, words);
    return view === asked ? parts : null;
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
      return refusal ? answers.reasons(refusal, button => answers.remedies(button, "/explain-workload?words=true&workload=" + encodeURIComponent(name), asked.text)) : [missing(answer)];
    });
    if (!parts) return;
    const near = new Set((refusal?.nearest ?? []).map(one => one.node));
    for (const one of document.querySelectorAll("#fleet [data-node], #cells [data-cell]")) one.classList.toggle("near", near.has(one.dataset.node ?? one.dataset.cell));
    $("why").classList.add("bad");
    tellIn("why", "Why not " + name + "?", parts);
  }

  /** What the service says when the problem has one more member, a list that somebody typed. */
  const beside = (path, member, input, title, words) => working(async () => {
    const asked = view, parts = await told(asked, path, model.also(asked.text, member, model.typed($(input).value)), words);
    if (!parts) return;
    tellIn("supposed", title, parts);
    $("status").textContent = $("supposed").innerText;
  });

  /** What would be if something of the fleet were otherwise, side by side with now. */
  const suppose = () => beside("/what-if", "changes", "changes", "What if", answers.whatIf);

  /** How many nodes of the kinds that are offered it would take to place all. */
  const count = () => beside("/size", "offers", "offers", "How many nodes", answers.size);

  /** Why a placed workload has its node: the first candidates in the strategy's order, and what decided. */
  async function why(name) {
    const parts = await told(view, "/explain-workload?scores=true&workload=" + encodeURIComponent(name), view.text, ({chosen, choice}) => [
      said("It is on " + chosen + "."), ...answers.choice(choice)]);
    if (!parts) return;
    $("why").classList.remove("bad");
    tellIn("why", "Why " + name + " is where it is", parts);
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
    return asked.picture = await answers.drawing("/picture", {method: "POST", body: asked.text, headers: {"Content-Type": "application/json"}});
  }

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
    $("picture").replaceChildren(make("h2", {}, "Picture"), answers.framed(image));
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

  /** Whether a live fleet is shown, which hides the editor. */
  const following = () => document.body.dataset.live !== undefined;
  const open = file => file && file.text().then(text => { box.value = text; place(true); });
  for (const name of Object.keys(EXAMPLES)) $("example").append(make("option", {value: name}, name));
  $("example").addEventListener("change", () => { box.value = EXAMPLES[$("example").value]; place(); });
  $("heattools").append(heat.element);
  box.addEventListener("input", () => mark([]));
  box.addEventListener("scroll", () => { $("marks").scrollTop = box.scrollTop; });
  $("strategy").addEventListener("change", tell);
  $("file").addEventListener("change", () => open($("file").files[0]));
  $("morerefused").addEventListener("click", moreRefused);
  $("token").addEventListener("change", () => { listStrategies(); if (!following()) place(); });
  $("comparing").addEventListener("click", compare);
  $("link").addEventListener("click", copyLink);
  $("curl").addEventListener("click", () => copy($("curl"), model.curl(location.origin, view.text)));
  $("whatif").addEventListener("submit", event => { event.preventDefault(); suppose(); });
  $("howmany").addEventListener("submit", event => { event.preventDefault(); count(); });
  $("record").addEventListener("click", saveRecord);
  $("draw").addEventListener("click", drawing(showPicture));
  $("svg").addEventListener("click", drawing(({text}) => { $("svg").dataset.saved = text.length; download("placement.svg", inline(text)); }));
  $("png").addEventListener("click", drawing(savePng));
  $("tokenrow").addEventListener("submit", event => event.preventDefault());
  $("form").addEventListener("submit", event => { event.preventDefault(); place(true); });
  addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !following()) { event.preventDefault(); place(true); } });
  addEventListener("dragover", event => { event.preventDefault(); box.classList.add("over"); });
  addEventListener("dragleave", () => box.classList.remove("over"));
  addEventListener("drop", event => { event.preventDefault(); box.classList.remove("over"); if (!following()) open(event.dataTransfer.files[0]); });

  async function begin() {
    const linked = await model.unpacked(location.hash).catch(() => null);
    box.value = linked ? linked.text : Object.values(EXAMPLES)[0];
    $("strategy").dataset.wanted = linked ? linked.strategy : "";
    await listStrategies();
    if (!following()) await place();
  }
  begin();
})();
