// A film page: lanes and pair table in one document, without a server. The address's hash says where to begin, and
// follows the playhead while it rests.

import { make } from "../shared/dom.js";
import { groupNamed, hear } from "../shared/groups.js";
import { createTable } from "../pair_table/table.js";
import { createGrid } from "../token_grid/grid.js";

const GROUP = "film";
