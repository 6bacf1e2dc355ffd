/** The text of an API key, of which only the hash is stored. */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const format = /^swb_[0-9A-Za-z]{36}$/;

/** `swb_`, 30 random characters, and 6 of a CRC32: secret scanners can find a key, and a typo needs no read. */
export function newKey(): string {
  const random = Array.from({ length: 30 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `swb_${random}${checksum(`swb_${random}`)}`;
}

/** Whether it is formed like a key, with a right checksum. */
export const isKey = (text: string): boolean => format.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function hashOf(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}
