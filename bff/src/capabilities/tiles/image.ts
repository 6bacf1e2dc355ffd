/**
 * The allowed image types of a tile. Never SVG, which is a document and may contain scripts, and not AVIF, whose container
 * has sizes that nest and follow each other.
 */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** The type of a complete image; undefined if the bytes are not an image or are truncated. */
export function imageKind(bytes: Buffer): ImageType | undefined {
  const kind = startOf(bytes);
  return kind && endsWell[kind](bytes) ? kind : undefined;
}

/** Twice the side of an `@2x` tile, in pixels. */
const mostPixels = 2048;

/** The type of a complete image that is small enough for a tile; undefined for everything else. */
export function tileImageKind(bytes: Buffer): ImageType | undefined {
  const kind = imageKind(bytes);
  return kind && (largestSide(bytes, kind) ?? Number.POSITIVE_INFINITY) <= mostPixels ? kind : undefined;
}

function startOf(bytes: Buffer): ImageType | undefined {
  const text = bytes.toString('latin1', 0, 16);
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}

/** Without a Content-Length, a truncated response looks complete, so the end of the image is checked. */
const endsWell: Record<ImageType, (bytes: Buffer) => boolean> = {
  'image/png'(bytes) {
    const end = bytes.lastIndexOf('IEND');
    return end !== -1 && end + 8 <= bytes.length;
  },
  // Some encoders append a few bytes after the end marker.
  'image/jpeg': (bytes) => bytes.includes(Buffer.from([0xff, 0xd9]), Math.max(0, bytes.length - 64)),
  'image/webp': (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
};

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
};
