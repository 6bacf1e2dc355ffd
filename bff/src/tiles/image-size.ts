import type { ImageType } from './image-kind.ts';

/**
 * The larger side of an image in pixels, from its header; undefined if there is none. A small file may decode to
 * gigabytes in a browser.
 */
export function largestSide(bytes: Buffer, type: ImageType): number | undefined {
  try {
    return Math.max(...sides[type](bytes)) || undefined;
  } catch {
    // The file ends within its header.
    return undefined;
  }
}

const sides: Record<ImageType, (bytes: Buffer) => number[]> = {
  'image/png': (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  'image/jpeg'(bytes) {
    for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
      const marker = bytes[at + 1]!;
      if (bytes[at] !== 0xff) break;
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      if (isFrame) return [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
    }
    return [0];
  },
  'image/webp'(bytes) {
    const form = bytes.toString('latin1', 12, 16);
    if (form === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    if (form === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    if (form !== 'VP8L') return [0];
    const packed = bytes.readUInt32LE(21);
    return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1];
  },
  'image/avif'(bytes) {
    const found: number[] = [0];
    // Each image of the file has an `ispe` box with its size.
    for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 4)) {
      found.push(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12));
    }
    return found;
  },
};
