// Python in a worker: a training does not hold up the page, and ending the worker stops it.

// @ts-expect-error  build.py puts Pyodide there
import { loadPyodide } from "./pyodide/pyodide.mjs";

const startTime = performance.now();
const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
const answer = await fetch(new URL("python.zip", import.meta.url));
python.unpackArchive(await answer.arrayBuffer(), "zip");
const session = python.pyimport("session");
postMessage({ presets: JSON.parse(session.presets()), milliseconds: performance.now() - startTime });

addEventListener("message", ({ data }) => {
  const start = performance.now();
  const tell = (/** @type {number} */ learned) => postMessage({ learned });
  try {
    const film = JSON.parse(session.film(data.text, data.preset, data.merges, tell));
    postMessage({ ...film, milliseconds: performance.now() - start });
  } catch (error) {
    postMessage({ problem: "The training ended unexpectedly. The browser's console shows why." });
    throw error;
  }
});
