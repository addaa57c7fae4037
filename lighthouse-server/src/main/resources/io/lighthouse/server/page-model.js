"use strict";
/** What a problem and its answer say, without a page: nothing here touches the document. */
const model = (() => {
  const TOKENS = /"(?:[^"\\]|\\.)*"|-?\binf\b|[{}\[\]:,]/gs;

  /** The value of a member of its own; names such as "constructor" are nobody's by birth. */
  const own = (object, key) => Object.hasOwn(object, key) ? object[key] : undefined;
  const quantity = q => q === undefined ? 0 : typeof q === "number" ? q : q === "inf" || q === "+inf" ? Infinity : q === "-inf" ? -Infinity : Number(q);
  const nameOf = one => own(one, "name") ?? own(one, "id");
  const held = one => own(one, "workloads") ?? own(one, "loads") ?? [];
  const workloadsOf = problem => own(problem, "workloads") ?? own(problem, "loads");

  /** The text as a value; the bare tokens inf and -inf are none of JSON's. */
  const parsed = text => JSON.parse(text.replace(TOKENS, token => /^-?inf$/.test(token) ? `"${token}"` : token));

  /** An answer as a value, its quantities digit by digit: as texts. */
  const exact = text => JSON.parse(text.replace(/"(left|required|lacking)":(-?[0-9][0-9.eE+-]*)/g, '"$1":"$2"'));

  /** The value of a string token; null where it has a bad escape, which the service reports with its place. */
  const unquoted = token => { try { return JSON.parse(token); } catch { return null; } };

  /** Where the value of a member at the top begins and ends, if it is a string; else whether it is there. */
  function topMember(text, name) {
    let depth = 0, key = null, before = "";
    for (const match of text.matchAll(TOKENS)) {
      const token = match[0];
      if (key === name && before === ":") return {start: match.index, end: match.index + token.length, text: token.startsWith('"')};
      if (token === "{" || token === "[") depth++;
      else if (token === "}" || token === "]") depth--;
      else if (token.startsWith('"') && depth === 1 && (before === "{" || before === ",")) key = unquoted(token);
      else if (token === ",") key = null;
      before = token;
    }
    return null;
  }

  /** The text as it is sent: digit by digit the same, but for a strategy that is chosen. */
  function asked(text, strategy) {
    if (!strategy) return text;
    const member = topMember(text, "strategy");
    if (member) return member.text ? text.slice(0, member.start) + JSON.stringify(strategy) + text.slice(member.end) : text;
    return also(text, "strategy", strategy);
  }

  /** The text with one more member at its end, where it has none of that name. */
  function also(text, name, value) {
    const end = text.lastIndexOf("}");
    if (end < 0 || topMember(text, name)) return text;
    const comma = text.slice(0, end).trimEnd().endsWith("{") ? "" : ",";
    return text.slice(0, end).trimEnd() + comma + "\n" + JSON.stringify(name) + ": " + JSON.stringify(value) + "\n" + text.slice(end);
  }

  /** Changes as a person types them, one after the other with a semicolon between. */
  const typed = words => words.split(";").map(one => one.trim()).filter(one => one);

  /** Workloads as a person types them, such as {@code job: cpu=3,mem=4}, or as JSON: the body of a batch. */
  function batch(words) {
    const text = words.trim(), list = text.startsWith("[") ? text : text.startsWith("{") ? null : "[" + typed(text).map((one, at) => {
      const colon = one.indexOf(":"), name = colon < 0 ? "new-" + (at + 1) : one.slice(0, colon).trim();
      const needs = one.slice(colon + 1).split(",").map(part => part.trim()).filter(part => part).map(part => {
        const [resource, amount = ""] = part.split("=").map(side => side.trim());
        return JSON.stringify(resource) + ": " + (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(amount) ? amount : JSON.stringify(amount));
      });
      return '{"name": ' + JSON.stringify(name) + ', "requirements": {' + needs.join(", ") + "}}";
    }).join(", ") + "]";
    return list !== null ? '{"workloads": ' + list + "}" : topMember(text, "workloads") ? text : '{"workloads": [' + text + "]}";
  }

  /** A number for the colour of a workload, a hash by Fowler, Noll and Vo: the same for names that differ in a number at the end. */
  function hue(name) {
    let hash = 97;
    for (const char of name.replace(/[-_.]?\d+$/, "")) hash = Math.imul(hash ^ char.codePointAt(0), 16777619) >>> 0;
    return hash >>> 8;
  }

  const amounts = resources => Object.entries(resources).map(([name, amount]) => amount + " " + name).join(", ");

  function changed(change) {
    const of = change.node ?? [change.level, change.domain].filter(one => one !== undefined).join(" ");
    switch (change.change) {
      case "uncordon": return "open " + of;
      case "resize": case "resize-domain": return "give " + of + " " + amounts(change.resources);
      case "declare": return "declare " + of + " with " + amounts(change.resources);
      case "move": return "move " + change.workload + " to " + change.to;
      default: return change.change + " " + (change.workload ?? of);
    }
  }

  /** Who sits where: for each node its accounts, and the workloads that came now. */
  function fleet(problem, answer) {
    const here = new Map(problem.nodes.map(node => [nameOf(node), []]));
    const workloads = workloadsOf(problem);
    workloads.forEach((workload, at) => {
      const node = own(answer.assignments, nameOf(workload));
      if (node !== undefined) here.get(node).push(placed(workload, at));
    });
    const nodes = problem.nodes.map((node, at) => account(node, here.get(nameOf(node)), at));
    const used = nodes.filter(node => node.here.length + node.before.length > 0);
    const domains = (own(problem, "domains") ?? []).map(domain => ({level: domain.level, name: domain.name, shared: sharedIn(domain, nodes)}));
    return {nodes, domains, workloads: workloads.length, before: nodes.reduce((all, node) => all + node.before.length, 0), failures: answer.failures, placed: workloads.length - answer.failures.length,
      used: used.length, totals: totals(nodes), stranded: stranded(used)};
  }

  const placed = (one, at) => ({name: nameOf(one), requirements: one.requirements, shared: own(one, "shared") ?? {}, at});
  const sum = (all, resource) => all.reduce((total, one) => total + quantity(own(one.requirements, resource)), 0);

  /** A node of a problem: what it is given is what those who sit there have left. */
  function account(node, here, at) {
    const before = held(node).map(placed);
    const capacity = Object.fromEntries(Object.entries(node.resources).map(([name, given]) => [name, quantity(given) + sum(before, name)]));
    return standing({name: nameOf(node), at, cordoned: own(node, "cordoned") === true, domains: own(node, "domains") ?? {}, capacity, before, here});
  }

  /** How full a node is of those who sat there before and those who came now. */
  function standing(node) {
    const resources = Object.entries(node.capacity).map(([name, capacity]) => {
      const before = sum(node.before, name), now = sum(node.here, name);
      return {name, capacity, before, now, left: capacity - before - now, supply: capacity > 0 && Number.isFinite(capacity)};
    });
    const fullest = resources.filter(one => one.supply).reduce((most, one) => (one.before + one.now) / one.capacity > most.share
      ? {name: one.name, share: (one.before + one.now) / one.capacity} : most, {name: "", share: 0});
    return {...node, resources, fullest};
  }

  /** What a domain has for all that stands in it: as given, less what came now. */
  function sharedIn(domain, nodes) {
    const inside = nodes.filter(node => own(node.domains, domain.level) === domain.name);
    const taken = (kind, resource) => inside.flatMap(node => node[kind])
      .reduce((sum, one) => sum + quantity(own(own(one.shared, domain.level) ?? {}, resource)), 0);
    return Object.entries(own(domain, "resources") ?? {}).map(([name, given]) =>
      ({name, left: quantity(given) - taken("here", name), capacity: quantity(given) + taken("before", name)})).filter(one => Number.isFinite(one.capacity));
  }

  function totals(nodes) {
    const sums = new Map();
    for (const node of nodes) {
      for (const one of node.resources.filter(resource => resource.supply)) {
        const sum = sums.get(one.name) ?? {name: one.name, capacity: 0, taken: 0};
        sum.capacity += one.capacity;
        sum.taken += one.before + one.now;
        sums.set(one.name, sum);
      }
    }
    return [...sums.values()];
  }

  /** What is left on nodes that are in use, as a share of what they have; the mean of the resources. */
  function stranded(used) {
    const sums = totals(used);
    return sums.length === 0 ? 0 : sums.reduce((sum, one) => sum + 1 - one.taken / one.capacity, 0) / sums.length;
  }

  /** The levels of domains that nodes stand in, as they come. */
  const levels = nodes => [...new Set(nodes.flatMap(node => Object.keys(node.domains)))];

  /** Whether the domains of a level make groups: at least two, and of two nodes on average. */
  function isGrouping(nodes, level) {
    const domains = new Set(nodes.map(node => own(node.domains, level)).filter(name => name !== undefined));
    return domains.size > 1 && 2 * domains.size <= nodes.length;
  }

  /** How full a node is of a resource; without a name, of its fullest. */
  function fullestOf(node, resource) {
    if (!resource) return node.fullest;
    const one = node.resources.find(supply => supply.name === resource && supply.supply);
    return one ? {name: resource, share: (one.before + one.now) / one.capacity} : {name: "", share: 0};
  }

  /** Which nodes are shown. */
  const STATES = {
    all: {words: "all nodes", holds: () => true},
    full: {words: "nine tenths full, or more", holds: node => node.fullest.share >= 0.9},
    half: {words: "less than half full", holds: node => node.fullest.share < 0.5},
    empty: {words: "empty", holds: node => node.here.length + node.before.length === 0},
    cordoned: {words: "cordoned", holds: node => node.cordoned}};

  /** Whether a word is in the name of a node, or of a workload on it. */
  const isNamed = (node, word) => word === "" || [node, ...node.before, ...node.here].some(one => one.name.toLowerCase().includes(word));

  /** The fullest resource of some nodes together, or how full they are of one. */
  const fullest = (nodes, resource) => totals(nodes).filter(one => !resource || one.name === resource).reduce((most, one) => one.taken / one.capacity > most.share
    ? {name: one.name, share: one.taken / one.capacity} : most, {name: "", share: 0});

  const LEVEL = "level:";
  /** What names the group of a node. */
  function groupOf(node, order) {
    if (order.startsWith(LEVEL)) return own(node.domains, order.slice(LEVEL.length)) ?? "in no " + order.slice(LEVEL.length);
    return order === "name" ? node.name.replace(/[-_.]?[0-9]+$/, "") || node.name
      : node.resources.filter(one => one.capacity === 0).map(one => one.name).sort().join(", ") || "no tag";
  }

  /** The nodes in groups, in an order that is asked for; those of a domain with the fullest first. */
  function grouped(nodes, order, resource = "") {
    const share = new Map(nodes.map(node => [node, fullestOf(node, resource).share]));
    const sorted = (some, sign) => [...some].sort((a, b) => sign * (share.get(b) - share.get(a)) || a.at - b.at);
    if (order === "fullest") return [["", sorted(nodes, 1)]];
    if (order === "emptiest") return [["", sorted(nodes, -1)]];
    if (order === "given") return [["", nodes]];
    const groups = new Map();
    for (const node of nodes) {
      const name = groupOf(node, order);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(node);
    }
    const all = [...groups].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
    return order.startsWith(LEVEL) ? all.map(([name, some]) => [name, sorted(some, 1)]) : all;
  }

  /** The counts of a fleet, in the words of PlacementSummary in Java. */
  const summary = fleet => fleet.before + " placed before, " + fleet.placed + " placed now, " + fleet.failures.length + " refused";

  /** A share in percent, rounded half up; a little is added, because a share such as 0.1235 may be stored as less. */
  const percent = share => (Math.floor(share * 1000 + 0.5 + 1e-9) / 10).toFixed(1) + "\u00a0%";

  const base64 = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const bytesOf = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), char => char.charCodeAt(0));
  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  /** A problem and a strategy as a piece of an address, and back. */
  const packed = async (text, strategy) => "p=" + base64(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")))
    + (strategy ? "&s=" + encodeURIComponent(strategy) : "");
  async function unpacked(fragment) {
    const found = /^#?p=([\w-]+)(?:&s=([^&]*))?$/.exec(fragment);
    if (!found) return null;
    return {text: new TextDecoder().decode(await through(bytesOf(found[1]), new DecompressionStream("deflate-raw"))), strategy: decodeURIComponent(found[2] ?? "")};
  }

  /** A command for a shell; quotes inside are closed and opened again. */
  const curl = (origin, text) => "curl -X POST --data-binary '" + text.replace(/'/g, "'\\''") + "' " + origin + "/try-assign-workloads";

  /** What a drawing says of itself. */
  const CHARACTERS = {lt: "<", gt: ">", quot: '"', apos: "'", amp: "&"};
  const described = svg => (/<desc[^>]*>([^<]*)</.exec(svg)?.[1] ?? "").replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) => code ? String.fromCodePoint(code) : CHARACTERS[name]);

  return {STATES, isGrouping, own, quantity, batch, hue, fullestOf, isNamed, nameOf, account, standing, totals, placed, changed, also, typed, described, parsed, exact, asked, fleet, levels, fullest, grouped, summary, percent, packed, unpacked, curl};
})();
