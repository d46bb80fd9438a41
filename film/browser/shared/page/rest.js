// A pointer that crosses something does not ask about it; one that rests there does.

const REST_FOR = 250; // ms

/** Make a timer for what a resting pointer asks for. */
export function createRest() {
  /** @type {import("./dom.js").Timer} */
  let timer;
  const cancel = () => clearTimeout(timer);

  /**
   * Do this if nothing else happens for a moment.
   * @param {() => void} act
   */
  function wait(act) {
    cancel();
    timer = setTimeout(act, REST_FOR);
  }
  return { wait, cancel };
}
