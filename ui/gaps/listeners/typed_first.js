// What is typed into a field of Streamlit's for one line reaches the server before the click that leaves the field, and
// holds no half of a character.

const SENT_WITHIN = 60; // ms from when a field is left until Streamlit has sent its text
const HALF_CHARACTERS = /\p{Surrogate}/gu; // lone surrogates, which no message to the server can hold

/**
 * Let clicks wait until the signal aborts. A tap leaves the field and clicks at once: Streamlit would send the click
 * first, and then a text of the page that was left, which nobody takes.
 * @param {AbortSignal} signal
 */
export function typedFirst(signal) {
  let hasUnsent = false; // whether the field with the focus holds text that was not sent yet
  let isSending = false;
  /** @type {HTMLElement | null} */
  let waiting = null; // what was clicked meanwhile

  document.addEventListener("input", mend, { capture: true, signal });
  document.addEventListener("focusout", wait, { capture: true, signal });
  document.addEventListener("click", hold, { capture: true, signal });

  /** @param {Event} event */
  function mend({ target }) {
    if (!(target instanceof HTMLInputElement)) return;
    hasUnsent = true;
    const text = target.value.replace(HALF_CHARACTERS, "\uFFFD");
    if (text === target.value) return;
    const { selectionStart, selectionEnd } = target;
    // The setter of the prototype: React replaces that of the element and would then see no change.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(target, text);
    target.setSelectionRange(selectionStart, selectionEnd);
  }

  function wait() {
    if (!hasUnsent) return;
    hasUnsent = false;
    isSending = true;
    setTimeout(() => {
      isSending = false;
      const clicked = waiting;
      waiting = null;
      if (clicked?.isConnected) clicked.click();
    }, SENT_WITHIN);
  }

  /** @param {MouseEvent} event */
  function hold(event) {
    const clicked = event.target instanceof Element && event.target.closest("a, button");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isSending || !isPlain || !(clicked instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting = clicked;
  }
}
