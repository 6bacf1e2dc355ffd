/** One gzip text (RFC 1952) of parts that are compressed apart, so that a thread is not taken by a long text at once. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The checksum and the length of the text until the end of a part. */
export interface Sums {
  checksum: number;
  length: number;
}
export interface GzipPart {
  bytes: Uint8Array<ArrayBuffer>;
  sums: Sums;
}

export const noSums: Sums = { checksum: 0, length: 0 };

/** The level that a map has, too: of a page of a megabyte, half of the time of the default. */
const level = 3;

/** `before`: of the part before this one. The bytes have a buffer of their own. */
export function gzipPart(text: Uint8Array, before: Sums): GzipPart {
  // It ends at a byte, and is not the last block.
  const bytes = new Uint8Array(deflateRawSync(text, { level, finishFlush: constants.Z_SYNC_FLUSH }));
  return { bytes, sums: { checksum: crc32(text, before.checksum), length: before.length + text.length } };
}

const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
const emptyLastBlock = Uint8Array.of(3, 0);

export function gzipOf(parts: readonly GzipPart[]): Buffer<ArrayBuffer> {
  const { checksum, length } = parts.at(-1)!.sums;
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum);
  trailer.writeUInt32LE(length, 4);
  return Buffer.concat([header, ...parts.map(({ bytes }) => bytes), emptyLastBlock, trailer]);
}
