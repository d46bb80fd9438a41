// Right-to-left words: each keeps its own direction, a paragraph takes that of its first word.

// Each item's direction (1: right to left) by its first strong character, or null where all is left to right.
function directionsOf(place) {
  const { sheet } = place;
  const directions = new Int8Array(sheet.order.length);
  const known = new Map();
  let any = false;
  sheet.order.forEach((word, item) => {
    if (!known.has(word)) known.set(word, wordDirection(sheet, item));
    directions[item] = known.get(word);
    any ||= directions[item] === 1;
  });
  if (!any) return null;
  for (let item = 1; item < directions.length; item++) if (!directions[item]) directions[item] = directions[item - 1];
  return directions;
}

function wordDirection(sheet, item) {
  const bytes = [];
  for (let cell = sheet.first[item]; cell < sheet.first[item + 1] && bytes.length < 64; cell++) bytes.push(...sheet.model.symbols[sheet.symbol[cell]].bytes);
  for (const letter of decodeBytes(bytes)) {
    if (RIGHT_TO_LEFT.test(letter)) return 1;
    if (LEFT_TO_RIGHT.test(letter)) return -1;
  }
  return 0;
}

// Turns the right-to-left items of a line round; a paragraph that begins with one reads from the right edge altogether.
function mirrorLine(place, line, from, to, end) {
  const { sheet, x, w, direction, width } = place;
  const rightward = !sheet.rows && direction[place.paragraph[line]] === 1;
  for (let start = from; start < to; ) {
    let stop = start + 1;
    const way = direction[sheet.place[start]];
    while (stop < to && direction[sheet.place[stop]] === way && (!sheet.rows || sheet.place[stop] === sheet.place[start])) stop += 1;
    const low = x[start];
    const high = x[stop - 1] + w[stop - 1];
    if ((way === 1) !== rightward) for (let cell = start; cell < stop; cell++) x[cell] = low + high - x[cell] - w[cell];
    start = stop;
  }
  if (rightward) for (let cell = from; cell < to; cell++) x[cell] = Math.max(end, width) - x[cell] - w[cell];
}
