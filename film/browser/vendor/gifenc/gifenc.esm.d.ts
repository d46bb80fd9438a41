/** A colour: red, green, blue, 0 to 255 each. */
type Colour = [number, number, number];

export interface FrameOptions {
  palette: Colour[];
  delay: number; // ms
  repeat?: number; // 0: for ever
  transparent?: boolean;
  transparentIndex?: number;
  dispose?: number; // 1: the next frame is painted over this one
}

export interface Encoder {
  writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
  finish(): void;
  bytes(): Uint8Array<ArrayBuffer>;
  bytesView(): Uint8Array<ArrayBuffer>;
}

export function GIFEncoder(): Encoder;
export function quantize(rgba: Uint8ClampedArray, most: number): Colour[];
export function applyPalette(rgba: Uint8ClampedArray, palette: Colour[]): Uint8Array;
