"use strict";
/** The answers of the service as elements: reasons, remedies, choices, suppositions, plans, drawings. */
const answers = (() => {
  const {$, make, plural, headers, table, focusOn} = parts;
  const LISTED = 100, CANDIDATES = 24;

  const said = words => make("p", {}, words);
  const sentence = words => words[0].toUpperCase() + words.slice(1) + ".";

  /** Calls the service: an answer, or a problem. */
  async function call(path, text, method = "POST") {
    const response = await fetch(path, {method, body: text,
      headers: headers({"Content-Type": "application/json", Accept: "application/json, application/problem+json"})});
    if (response.status === 401) $("tokenrow").hidden = false;
    const answer = model.exact(await response.text());
    return response.ok ? {answer} : {problem: answer};
  }

  const missing = answer => said("BinPack asks that every name of the rubric is on every node and in every workload. Missing: " + (answer.missing_from_rubric ?? []).join(", "));

  /** What an answer contains, in elements; or why there is no answer. */
  async function told(path, text, words) {
    let done;
    try {
      done = await call(path, text);
    } catch (failure) {
      return [said("The service did not answer: " + String(failure.message ?? failure))];
    }
    const {answer, problem} = done;
    return problem ? [said(problem.detail ?? problem.title)] : answer.missing_from_rubric ? [missing(answer)] : words(answer);
  }

  /** Why no node takes a workload, with a button that looks for remedies. */
  const reasons = (refusal, onremedies) => [
    make("h3", {}, "Over all " + plural(refusal.nodes, "node")),
    table(["What", "Nodes"], refusal.counts.map(one => [one.words, String(one.nodes)])),
    make("h3", {}, "The nodes that came nearest"),
    table(["Node", "What"], refusal.nearest.flatMap(one => one.reasons.map((reason, index) => [index ? "" : one.node, reason.words]))),
    make("p", {class: "row"}, make("button", {type: "button", class: "remedy", onclick: event => onremedies(event.currentTarget)}, "What would have to change?"))];

  /** Looks for remedies, which may take as long as a plan, and shows them in place of their button. */
  async function remedies(button, path, text) {
    button.disabled = true;
    const parts = await told(path, model.also(text, "remedies", true), ({remedies: found, generation}) => [
      ...(found ? [said(sentence(found.words)), table(["Kind", "What would do"], found.remedies.map(one => [one.kind, one.words]))] : [said("It has a node when all is placed.")]),
      ...(generation === undefined ? [] : [said("As of generation " + generation + ".")])]);
    if (!button.isConnected) return;
    const shown = make("div", {class: "remedies", tabindex: "-1"}, make("h3", {}, "What would have to change"), ...parts);
    button.parentElement.replaceWith(shown);
    focusOn(shown, button);
  }

  /** The first candidates in the order of the strategy, and what decided. */
  const choice = one => [
    said("Of " + plural(one.candidates.length, "candidate") + ", decided by " + one.decider + (one.detail ? ": " + one.detail : "") + "."),
    table(["Node", "Score", "Made of"], one.candidates.slice(0, CANDIDATES).map(node => [node.node, String(node.score ?? ""), node.terms.map(term => term.name + " " + term.value).join(", ")])),
    ...(one.candidates.length > CANDIDATES ? [said("and " + (one.candidates.length - CANDIDATES) + " more")] : [])];

  /** At most {@code LISTED} rows, and how many there are beside them. */
  const listed = (head, rows) => [table(head, rows.slice(0, LISTED)), ...(rows.length > LISTED ? [said("and " + (rows.length - LISTED) + " more")] : [])];

  /** What would be if the fleet were different, side by side with now. */
  const whatIf = answer => [
    table(["", "Now", "Then"], [["Nodes", "nodes"], ["Nodes in use", "nodes_in_use"], ["Placed in all", "placed"], ["Refused", "refused"]].map(([word, of]) => [word, String(answer.now[of]), String(answer.then[of])])),
    make("h3", {}, answer.workloads.length ? plural(answer.workloads.length, "workload") + " otherwise" : "No workload is otherwise"),
    ...(answer.workloads.length ? listed(["Workload", "What", "Now on", "Then on"], answer.workloads.map(one => [one.workload, one.what, one.now ?? "none", one.then ?? "none"])) : [])];

  /** How many nodes of the kinds that are offered it would take. */
  const size = answer => [
    table(["Offer", "Nodes"], answer.nodes.map(one => [one.offer, String(one.nodes)])),
    said("For " + answer.price + "; " + (answer.optimal ? "nothing cheaper will do" : "nothing below " + answer.bound + " will do") + "."),
    ...(answer.unplaced.length ? [said("On none of them: " + answer.unplaced.join(", "))] : [])];

  /** How many more of a mix fit, and what runs out. */
  const headroom = answer => [
    said("Room for " + answer.rounds + " more" + (answer.at_most === answer.rounds ? ", which is the most." : answer.at_most === undefined ? "." : "; at most " + answer.at_most + ".")),
    ...(answer.first ? [said("First to run out: " + answer.first + ".")] : [])];

  /** The moves of a plan, in waves, and what it does not reach. */
  function plan(answer) {
    const moves = answer.waves.flatMap((wave, index) => wave.changes.map(one => [String(index + 1), one.workload, one.from ?? "", one.to]));
    return [
      said(moves.length ? plural(moves.length, "move") + " in " + plural(answer.waves.length, "wave") + "; those of one wave may run at the same time." : answer.unmet.length ? "No move helps." : "Nothing has to move."),
      ...(moves.length ? listed(["Wave", "Workload", "From", "To"], moves) : []),
      ...(answer.unmet.length ? [make("h3", {}, "Not reached: " + answer.unmet.join(", "))] : []),
      ...(answer.obstacles.length ? listed(["In the way", "Why"], answer.obstacles.map(one => [one.workload, one.why])) : []),
      table(["", "Now", "Then"], [["Placed in all", "placed"], ["Nodes in use", "nodes_in_use"]].map(([word, of]) => [word, String(answer.before[of]), String(answer.after[of])])
        .concat([["Fullest node", model.percent(Number(answer.before.fullest)), model.percent(Number(answer.after.fullest))]]))];
  }

  const inline = text => "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);

  /** A drawing of the service: its text, and the image. */
  async function drawing(path, options = {}) {
    const response = await fetch(path, {...options, headers: headers({...options.headers, Accept: "image/svg+xml, application/problem+json"})});
    const text = await response.text();
    if (response.status === 401) $("tokenrow").hidden = false;
    if (!response.ok) { const problem = model.exact(text); throw new Error(problem.detail ?? problem.title); }
    const image = new Image();
    image.alt = model.described(text);
    image.src = inline(text);
    await image.decode();
    return {text, image, generation: /"g(\d+)/.exec(response.headers.get("ETag"))?.[1]};
  }

  const framed = image => make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Picture of the fleet"}, image);

  return {said, sentence, listed, call, missing, told, reasons, remedies, choice, whatIf, size, headroom, plan, inline, drawing, framed};
})();
