"use strict";
/** Questions about the fleet that is followed, and what an administrator does to it. */
const live = (() => {
  const {$, make, plural, colour, choices, focusOn} = parts;
  const {said, sentence, listed, call, told} = answers;

  /** The fleet that is followed; counts the questions, so that a late answer to an older one is dropped. */
  let followed = null, question = 0, generation = null;

  const path = rest => "/fleets/" + encodeURIComponent(followed.name) + "/" + rest;

  /** From here on, the questions are about this fleet. */
  function follow(mine) {
    followed = mine;
    close();
    $("livelevel").replaceChildren();
  }

  function close() {
    question++;
    generation = null;
    if ($("liveanswer").contains(document.activeElement)) $("livebatch").focus();
    $("liveanswer").hidden = true;
    $("liveanswerbody").replaceChildren();
  }

  function show(title, of, elements, button) {
    question++; // A question without an answer yet no longer replaces this one.
    $("liveanswertitle").textContent = title;
    $("liveanswerbody").replaceChildren(...elements);
    $("liveanswer").hidden = false;
    generation = of === undefined ? null : Number(of);
    aged();
    focusOn($("liveanswer"), button);
  }

  /** Says which generation the answer is of, and whether the fleet has changed since. */
  function aged() {
    const now = followed?.fleet?.generation;
    $("liveanswerage").textContent = generation === null ? "" : "As of generation " + generation
      + (now !== undefined && now > generation ? "; the fleet is at " + now + " now." : ".");
  }

  /** Asks a question; shows its answer unless another one was asked meanwhile. */
  async function ask(title, rest, text, words, button) {
    const turn = ++question, mine = followed;
    if (button) button.disabled = true;
    let of, elements;
    try {
      elements = await told(path(rest), text, answer => { of = answer.generation; return words(answer); });
    } finally {
      if (button) button.disabled = false;
    }
    if (turn === question && mine === followed) show(title, of, elements, button);
  }

  const explaining = name => "explain-workload?words=true&scores=true&workload=" + encodeURIComponent(name);

  /** Why a workload finds no node, or the node that it finds. */
  function explained(name, text, {placed, chosen, refusal, choice}) {
    const where = placed === undefined ? "" : "It is on " + placed + ". Placed anew, it would ";
    if (refusal) return [...(placed === undefined ? [] : [said(where + "find no node.")]), ...answers.reasons(refusal, button => answers.remedies(button, path(explaining(name)), text))];
    return [said(placed === undefined ? "It would go to " + chosen + "." : where + (placed === chosen ? "go to the same node." : "go to " + chosen + ".")), ...answers.choice(choice)];
  }

  const why = name => ask("Why is " + name + " where it is?", explaining(name), "{}", answer => explained(name, "{}", answer));

  /** Where some workloads would go; those that find no node say why. */
  function tryOut(button) {
    const text = model.batch($("livebatch").value);
    return ask("Would it fit?", "try-assign-workloads?dry_run=true", text, answer => {
      const chips = answer.failures.map(name => make("li", {}, make("button", {type: "button", class: "chip refused", "data-workload": name,
        onclick: () => ask("Why not " + name + "?", explaining(name), text, found => explained(name, text, found))}, name)));
      const rows = Object.entries(answer.assignments).filter(([, node]) => node !== null);
      return [...(rows.length ? listed(["Workload", "Would go to"], rows) : []),
        ...(chips.length ? [make("h3", {}, plural(chips.length, "workload") + " would be refused: press one to see why"), make("ul", {class: "chips"}, ...chips)] : [])];
    }, button);
  }

  /** Shows the moves to a goal; they are carried out by another press only. */
  function plan(title, goal, button) {
    return ask(title, "plan", JSON.stringify({goal}), answer => {
      const moves = answer.waves.length > 0;
      return [...answers.plan(answer), ...(moves ? [make("p", {class: "row"}, make("button", {type: "button", class: "go", id: "apply", onclick: event => apply(event.currentTarget, title, goal, answer)}, "Carry it out"),
        make("span", {class: "hint"}, "All of it or nothing, and only if the fleet has not changed. It needs the token of an administrator."))] : [])];
    }, button);
  }

  /** Changes the fleet, and returns the answer or the problem; nothing if another fleet is followed by then. */
  async function act(button, work) {
    const {name} = followed;
    button.disabled = true;
    const done = await work().catch(failure => ({problem: {type: "outcome-unknown", detail: "whether it was done is not known, because the service did not answer: " + String(failure.message ?? failure)}}));
    button.disabled = false;
    if (name !== followed.name) return;
    if (done.problem?.status === 403) $("tokenrow").hidden = false;
    return done;
  }

  /** Why an action failed. A problem of the type outcome-unknown says itself that its effect is unknown. */
  function failed(unchanged, {type = "", detail, title}) {
    const why = detail ?? title;
    return said(type.endsWith("outcome-unknown") ? sentence(why) : unchanged + ": " + why + ".");
  }

  async function apply(button, title, goal, {generation: of, waves}) {
    const done = await act(button, () => call(path("apply-plan"), JSON.stringify({generation: of, waves})));
    if (!done) return;
    if (done.answer) show(title, done.answer.generation, [said("Carried out.")]);
    else show(title, undefined, [failed("Nothing was moved", done.problem),
      make("p", {class: "row"}, make("button", {type: "button", id: "again", onclick: event => plan(title, goal, event.currentTarget)}, "Plan again"))]);
  }

  async function cordon(button, node) {
    const focused = document.activeElement === button;
    const done = await act(button, () => call(path("nodes/" + encodeURIComponent(node.name) + "/cordoned"), JSON.stringify({cordoned: !node.cordoned}), "PUT"));
    // A button that is disabled loses the focus, and its card may have been drawn anew.
    if (focused && document.activeElement === document.body) (button.isConnected ? button : document.querySelector("#live button[data-cordon='" + CSS.escape(node.name) + "']"))?.focus();
    if (done?.problem) show((node.cordoned ? "Open " : "Cordon ") + node.name, undefined, [failed("Nothing was changed", done.problem)]);
  }

  /** The drawing of the fleet as it is, by the domains of a level. */
  async function picture(button) {
    const turn = ++question, mine = followed;
    button.disabled = true;
    let drawn, wrong;
    try {
      drawn = await answers.drawing(path("picture" + ($("livelevel").value ? "?level=" + encodeURIComponent($("livelevel").value) : "")));
    } catch (failure) {
      wrong = [said(String(failure.message ?? failure))];
    }
    button.disabled = false;
    if (turn === question && mine === followed) show("Picture", drawn?.generation, wrong ?? [answers.framed(drawn.image)], button);
  }

  /** The levels by whose domains the fleet can be drawn. */
  function offerLevels(levels) {
    choices($("livelevel"), [["", "as it suits"], ...levels.map(level => [level, "by " + level])]);
    $("livelevelbox").hidden = levels.length === 0;
  }

  /** A workload on a node: press it to see why it is there. */
  const chip = one => make("button", {type: "button", class: "chip " + colour(one), "data-workload": one.name, title: "Why here?", onclick: () => why(one.name)}, make("i"), one.name);

  /** What can be done to a node. */
  const tools = node => make("p", {class: "tools"},
    ...(node.here.length ? [make("button", {type: "button", "data-drain": node.name, onclick: event => plan("Drain " + node.name, {goal: "drain", nodes: [node.name]}, event.currentTarget)}, "Drain\u2026")] : []),
    make("button", {type: "button", "data-cordon": node.name, onclick: event => cordon(event.currentTarget, node)}, node.cordoned ? "Open" : "Cordon"));

  const onsubmit = (form, work) => $(form).addEventListener("submit", event => { event.preventDefault(); work(event.submitter); });
  onsubmit("livetry", tryOut);
  onsubmit("livewhatif", button => ask("What if", "what-if", JSON.stringify({changes: model.typed($("livechanges").value)}), answers.whatIf, button));
  onsubmit("liveroom", button => ask("How much more fits", "headroom", JSON.stringify({mix: model.typed($("livemix").value)}), answers.headroom, button));
  onsubmit("liveplan", button => plan("Plan: " + $("livegoal").value.trim(), $("livegoal").value.trim(), button));
  $("livedraw").addEventListener("click", event => picture(event.currentTarget));
  $("closeanswer").addEventListener("click", close);

  return {follow, aged, offerLevels, chip, tools};
})();
