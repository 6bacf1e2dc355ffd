import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../core/store/secret.ts';

const idBytes = 16;
const macBytes = 16;
const codeFormat = /^[\w-]{43}$/;

/**
 * The secrets of links. They are derived from the id of the link, so that none is stored. A code opens a link. A pass
 * is for one user: it may be stored with an action, because nobody else can join with it. The first secret
 * makes them; those of the others are accepted too.
 */
export function createLinkCodes(secrets: Secrets) {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'swarmdeck join link', 32)));
  const macsOf = (id: Buffer, holder: string) =>
    keys.map((key) => createHmac('sha256', key).update(id).update(holder).digest().subarray(0, macBytes));
  const macOf = (id: Buffer, holder: string) => macsOf(id, holder)[0]!;
  /** Compares with all, so that the time does not tell which one it is. */
  const isMac = (given: Buffer, id: Buffer, holder: string) =>
    macsOf(id, holder).filter((mac) => timingSafeEqual(given, mac)).length > 0;
  const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
  // User names are not empty.
  const anybody = '';

  return {
    codeOf(id: string): string {
      const bytes = bytesOf(id);
      return Buffer.concat([bytes, macOf(bytes, anybody)]).toString('base64url');
    },
    /** The id that a code names, and whether the code is genuine. A malformed code takes the same time. */
    read(code: string): { id: string; isGenuine: boolean } {
      const bytes = codeFormat.test(code) ? Buffer.from(code, 'base64url') : Buffer.alloc(idBytes + macBytes);
      const id = bytes.subarray(0, idBytes);
      const isGenuine = isMac(bytes.subarray(idBytes), id, anybody);
      return { id: id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), isGenuine };
    },
    passOf: ({ id, userId }: { id: string; userId: string }): string =>
      macOf(bytesOf(id), userId).toString('base64url'),
    isPass({ id, userId, pass }: { id: string; userId: string; pass: string }): boolean {
      const passBytes = Buffer.from(pass, 'base64url');
      return passBytes.length === macBytes && isMac(passBytes, bytesOf(id), userId);
    },
  };
}
