// A film that only plays its recording.

import { showFilm } from "./player.js";

await showFilm(null);
