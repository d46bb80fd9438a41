// One press of Back leaves a page. Streamlit pushes an entry of the history for each change of a parameter; here such a
// change replaces the entry of its page.

const READY = Symbol.for("merge-by-merge.history"); // whether this document does so already
const page = /** @type {{[key: symbol]: boolean | undefined}} */ (/** @type {unknown} */ (globalThis));

/** Let a change of parameters replace the address, from now on: pages come and go while one is being opened. */
export function keepHistory() {
  if (page[READY]) return;
  page[READY] = true;
  const push = history.pushState.bind(history);
  let { href: asLeft } = window.location; // the address when the visitor last pressed or clicked anything
  const note = () => void ({ href: asLeft } = window.location);
  for (const event of ["click", "keydown"]) window.addEventListener(event, note, { capture: true });

  history.pushState = (state, unused, url) => {
    const { href, pathname, search, hash } = window.location;
    const next = new URL(url ?? "", href);
    if (next.pathname === pathname) {
      next.hash ||= hash;
      history.replaceState(state, unused, next);
      return;
    }
    // Parameters of the next page that came before its address: they were written into that of the page which is left.
    if (search && search === next.search && new URL(asLeft).pathname === pathname) {
      history.replaceState(history.state, "", asLeft);
    }
    push(state, unused, url);
  };
}
