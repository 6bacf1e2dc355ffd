/** The pixel values of a dot by its number of devices: for its middle, its sides and its corners. */
interface Ink {
  middle: Uint32Array;
  side: Uint32Array;
  corner: Uint32Array;
}

const MOST = 255;
/** The opacity for one device, and what more devices add to it. */
const MIDDLE = { least: 0.78, more: 0.22 };
const SIDE = { least: 0.34, more: 0.4 };
const CORNER = { least: 0.13, more: 0.35 };

export function inkOf([red, green, blue]: readonly [number, number, number]): Ink {
  const ramp = ({ least, more }: typeof MIDDLE) =>
    Uint32Array.from({ length: MOST + 1 }, (_, count) => {
      const alpha = count === 0 ? 0 : Math.round((least + more * (Math.log2(count) / Math.log2(MOST))) * 255);
      return pixelOf(red, green, blue, alpha);
    });
  return { middle: ramp(MIDDLE), side: ramp(SIDE), corner: ramp(CORNER) };
}

/** The bytes of a pixel in the byte order of this machine. */
function pixelOf(...bytes: [number, number, number, number]): number {
  return new Uint32Array(Uint8Array.from(bytes).buffer)[0]!;
}

/**
 * Draws each cell with devices as a dot: its own pixel and, weaker, the eight around it. Where dots overlap, the
 * stronger pixel wins. One pass, independent of the counts.
 */
export function paintDots({
  counts,
  width,
  ink,
}: {
  counts: Uint8Array;
  width: number;
  ink: Ink;
}): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(counts.length * 4);
  const pixels = new Uint32Array(bytes.buffer);
  const strength = { side: alphasOf(ink.side), corner: alphasOf(ink.corner) };
  const spread = (at: number, part: 'side' | 'corner', count: number) => {
    if (bytes[at * 4 + 3]! < strength[part][count]!) pixels[at] = ink[part][count]!;
  };
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at]!;
    if (count === 0) continue;
    // Nothing around a dot is as strong as a middle.
    pixels[at] = ink.middle[count]!;
    const column = at % width;
    const [west, east] = [column > 0, column < width - 1];
    if (west) spread(at - 1, 'side', count);
    if (east) spread(at + 1, 'side', count);
    for (const beside of [at - width, at + width]) {
      if (beside < 0 || beside >= counts.length) continue;
      spread(beside, 'side', count);
      if (west) spread(beside - 1, 'corner', count);
      if (east) spread(beside + 1, 'corner', count);
    }
  }
  return bytes;
}

function alphasOf(pixels: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(pixels.buffer);
  return Uint8Array.from(pixels, (_, at) => bytes[at * 4 + 3]!);
}
