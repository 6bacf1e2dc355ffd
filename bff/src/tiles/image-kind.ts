/** The allowed image types of a tile. Never SVG, which is a document and may contain scripts. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'] as const;
export type ImageType = (typeof imageTypes)[number];

/** The type of a complete image; undefined if the bytes are not an image or are truncated. */
export function imageKind(bytes: Buffer): ImageType | undefined {
  const kind = startOf(bytes);
  return kind && endsWell[kind](bytes) ? kind : undefined;
}

function startOf(bytes: Buffer): ImageType | undefined {
  const text = bytes.toString('latin1', 0, 16);
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  return /^avi[fs]$/.test(text.slice(8, 12)) && text.slice(4, 8) === 'ftyp' ? 'image/avif' : undefined;
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
  'image/avif': (bytes) => {
    let at = 0;
    while (at + 8 <= bytes.length) {
      const size = bytes.readUInt32BE(at);
      // Box size 0: up to the end of the file. 1: a 64-bit size follows the name.
      if (size === 0) return true;
      at += size === 1 && at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : Math.max(8, size);
    }
    return at === bytes.length;
  },
};
