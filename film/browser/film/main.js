// A film: lanes and pair table as a separate page, without a server, and a field for the viewer's own words.
// film/page.py writes its data.

import { createOwnWords } from "./own_words.js";
import { showFilm } from "./player.js";

await showFilm(createOwnWords);
