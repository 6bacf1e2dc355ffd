/** The text of an API key, of which only the hash is stored. */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const format = /^swb_[0-9A-Za-z]{36}$/;

/** `swb_`, 30 random characters, and 6 of a CRC32: secret scanners can find a key, and a typo needs no read. */
export function newKey(): string {
  let random = '';
  // Bytes from 248 on are left out, because 248 is a multiple of 62: they would make some characters more frequent. A user may create 500 keys at once:
  // this takes a fifth of the time of `randomInt` for each character.
  while (random.length < 30)
    for (const byte of randomBytes(40)) if (byte < 248 && random.length < 30) random += alphabet[byte % 62];
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
  return hash('sha256', key, 'buffer');
}
