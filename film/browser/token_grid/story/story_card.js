// The last card of a story as a picture.

/** @import {Colours} from "../types.js" */

// In px; the shape is that of pictures in previews of links.
const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;
const CARD_EDGE = 72;
const SMALLEST_TEXT = 18; // of a long value

/**
 * Paint the card.
 * @param {string} title
 * @param {[name: string, value: string][]} numbers
 * @param {Colours} colours
 * @param {string} font
 * @returns {Promise<Blob | null>}  a PNG; null if the browser cannot paint
 */
export function paintCard(title, numbers, colours, font) {
  const canvas = document.createElement("canvas");
  canvas.width = CARD_WIDTH;
  canvas.height = CARD_HEIGHT;
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, CARD_WIDTH, CARD_HEIGHT);
  context.fillStyle = colours.accent;
  context.fillRect(0, 0, 18, CARD_HEIGHT);
  context.textBaseline = "alphabetic";
  context.fillStyle = colours.ink;
  context.font = `700 52px ${font}`;
  context.fillText(title, CARD_EDGE, 110);
  numbers.forEach(([name, value], at) => {
    const y = 200 + at * 78;
    context.fillStyle = colours.soft;
    context.font = `400 34px ${font}`;
    context.fillText(name, CARD_EDGE, y);
    context.fillStyle = colours.ink;
    const room = CARD_WIDTH - CARD_EDGE - 560;
    let size = 42;
    do context.font = `700 ${size}px ${font}`;
    while (context.measureText(value).width > room && --size >= SMALLEST_TEXT);
    context.fillText(value, 560, y, room);
  });
  context.fillStyle = colours.soft;
  context.font = `400 26px ${font}`;
  context.fillText("Merge by Merge", CARD_EDGE, CARD_HEIGHT - 34);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
