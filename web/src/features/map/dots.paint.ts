/** The colours of dots, as pixels of an ImageData: the middle of a dot and its rim, by how many devices it stands for. */
export interface Ink {
  middle: Uint32Array;
  rim: Uint32Array;
}

const MOST = 255;
/** Of one device, and what many add to that. */
const MIDDLE = { least: 0.78, more: 0.22 };
const RIM = { least: 0.3, more: 0.44 };

export function inkOf([red, green, blue]: readonly [number, number, number]): Ink {
  const ramp = ({ least, more }: typeof MIDDLE) =>
    Uint32Array.from({ length: MOST + 1 }, (_, count) => {
      const alpha = count === 0 ? 0 : Math.round((least + more * (Math.log2(count) / Math.log2(MOST))) * 255);
      return pixelOf(red, green, blue, alpha);
    });
  return { middle: ramp(MIDDLE), rim: ramp(RIM) };
}

/** The bytes of a pixel in the order of this machine. */
function pixelOf(...bytes: [number, number, number, number]): number {
  return new Uint32Array(Uint8Array.from(bytes).buffer)[0]!;
}

const alphaOf = (bytes: Uint8ClampedArray, at: number) => bytes[at * 4 + 3]!;

/**
 * Every cell with a device becomes a dot: its own pixel and, weaker, the four beside it. Where dots meet, the stronger
 * pixel stays. One pass over the counts, whatever their sum is.
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
  const rimAlpha = Uint8Array.from(ink.rim, (pixel) => new Uint8Array(Uint32Array.of(pixel).buffer)[3]!);
  const spread = (at: number, count: number) => {
    if (alphaOf(bytes, at) < rimAlpha[count]!) pixels[at] = ink.rim[count]!;
  };
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at]!;
    if (count === 0) continue;
    // no rim is as strong as a middle
    pixels[at] = ink.middle[count]!;
    const column = at % width;
    if (column > 0) spread(at - 1, count);
    if (column < width - 1) spread(at + 1, count);
    if (at >= width) spread(at - width, count);
    if (at + width < counts.length) spread(at + width, count);
  }
  return bytes;
}
