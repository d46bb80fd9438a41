// Grids and pair tables of one group share a playhead. They live in shadow roots of their own, and this text runs once
// for each component, so the registry hangs on the window; everything else goes by window events.

export const REGISTRY = (globalThis[Symbol.for("merge-by-merge")] ??= { groups: new Map() });

export function groupNamed(name) {
  if (!REGISTRY.groups.has(name)) REGISTRY.groups.set(name, { name, lanes: new Set(), tables: new Set(), playhead: null, slot: null, presenting: false });
  return REGISTRY.groups.get(name);
}

// Several groups on a page: keys go to the one that was touched last, at first to the one that stands first.
export function isActive(group) {
  if (!REGISTRY.active?.lanes.size) REGISTRY.active = firstOnPage();
  return REGISTRY.active === group;
}

function firstOnPage() {
  const host = (group) => [...group.lanes][0].root.getRootNode().host; // which may be drawn in any order
  const follows = (one, other) => host(one).compareDocumentPosition(host(other)) & Node.DOCUMENT_POSITION_FOLLOWING;
  return [...REGISTRY.groups.values()].filter((group) => group.lanes.size).sort((one, other) => (follows(one, other) ? -1 : 1))[0];
}

export function say(kind, detail) {
  window.dispatchEvent(new CustomEvent(`mbm:${kind}`, { detail }));
}

export function hear(kind, group, signal, listen) {
  window.addEventListener(`mbm:${kind}`, (event) => event.detail.group === group && listen(event.detail), { signal });
}
