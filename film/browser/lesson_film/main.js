// A page with a lesson's film, or with the film of somebody's own words that was saved from one: both have this script.

import { readFilm } from "../film/site.js";
import { createOwnWords } from "../film/own_words.js";
import { showFilm } from "../film/player.js";
import { unpackElement } from "../shared/packed_bytes.js";
import { showLesson } from "./lesson.js";

if ("beats" in (await readFilm())) showLesson(await unpackElement(document.getElementById("film")).json());
else await showFilm(createOwnWords);
