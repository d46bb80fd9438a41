// One press of Back leaves a page. Streamlit pushes an entry of the history for each change of a parameter; here such a
// change replaces the entry of its page, unless somebody chose another lesson or another sample.

const LESSON = "lesson";
const SAMPLE = "corpus_sample";
const SOURCE = "corpus_source";

let isKept = false; // whether this document does so already

/**
 * Let a change of parameters replace the address, from now on: pages come and go while one is being opened.
 * @param {string[]} naming  the pages whose addresses name every sample, by the last names of their paths
 */
export function keepHistory(naming) {
  if (isKept) return;
  isKept = true;
  const push = history.pushState.bind(history);
  let { href: asLeft } = window.location; // the address when the visitor last pressed or clicked anything
  let acted = false; // whether that was after the page was opened
  let added = ""; // the address of the last entry of a lesson or a sample
  const note = () => {
    ({ href: asLeft } = window.location);
    acted = true;
  };
  for (const event of ["click", "keydown"]) window.addEventListener(event, note, { capture: true });
  window.addEventListener("popstate", () => void (acted = false), { capture: true });

  history.pushState = (state, unused, url) => {
    const { href, pathname, search, hash } = window.location;
    const next = new URL(url ?? "", href);
    if (next.pathname === pathname) {
      next.hash ||= hash;
      const chosen = acted && isOther(new URL(href), next, naming);
      if (chosen) {
        push(state, unused, next);
        added = next.href;
      } else history.replaceState(state, unused, next);
      return;
    }
    // Parameters of the next page that came before its address: they were written into that of the page which is left,
    // or into an entry of their own.
    const early = search && search === next.search && new URL(asLeft).pathname === pathname;
    if (early && added !== href) history.replaceState(history.state, "", asLeft);
    // A page that opens another one by itself, such as the stop of a talk, would open it again at each Back.
    if (acted && !(early && added === href)) push(state, unused, url);
    else history.replaceState(state, unused, url);
    acted = false;
  };
}

/**
 * Return whether two addresses of a page are of two lessons or of two samples.
 * @param {URL} before
 * @param {URL} after
 * @param {string[]} naming
 */
function isOther({ searchParams: before, pathname }, { searchParams: after }, naming) {
  const named = naming.some((name) => pathname.endsWith(`/${name}`));
  return [LESSON, SAMPLE].some((name) => {
    const known = before.has(name) || (name === SAMPLE && !named); // else the page had not written it yet
    const texts = name === SAMPLE && (before.has(SOURCE) || after.has(SOURCE));
    return known && !texts && before.get(name) !== after.get(name);
  });
}
