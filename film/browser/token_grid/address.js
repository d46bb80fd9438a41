// The step in the address, so that a reload and a copied address lead back to it.

const PARAMETER = "step";

/**
 * Return an address with this step. The rest of it stays as it is: URLSearchParams would write every ~ as %7E.
 * @param {string} address
 * @param {number} step  number of merges done
 */
export function withStep(address, step) {
  const url = new URL(address);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((part) => part && !part.startsWith(`${PARAMETER}=`));
  url.search = [...others, `${PARAMETER}=${step}`].join("&");
  return url.href;
}

/**
 * Write a step into the address bar, without an entry in the history and without a message to the server.
 * @param {number} step
 */
export function writeAddress(step) {
  const address = withStep(window.location.href, step);
  if (address !== window.location.href) history.replaceState(history.state, "", address);
}

/**
 * Correct the step in the address bar, if there is one: the address may still have that of an earlier training.
 * @param {number} step
 */
export function correctAddress(step) {
  if (new URL(window.location.href).searchParams.has(PARAMETER)) writeAddress(step);
}
