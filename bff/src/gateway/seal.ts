import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secrets } from '../store/secret.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a separate key that is derived from the server's secret. `owner` is the associated data. Encrypts with
 * the first secret.
 */
export function createSeal(secrets: Secrets) {
  const current = sealOf(secrets[0]);
  const before = secrets[1] === undefined ? undefined : sealOf(secrets[1]);
  return {
    seal: current.seal,
    /** Undefined if the bytes were encrypted for another owner or with another secret, or were modified. */
    unseal: (given: { sealed: Uint8Array; owner: string }) => current.unseal(given) ?? before?.unseal(given),
    /** The same text encrypted with the first secret; undefined if it is already, or if it cannot be read. */
    sealAgain(given: { sealed: Uint8Array; owner: string }): Uint8Array | undefined {
      const text = current.unseal(given) === undefined ? before?.unseal(given) : undefined;
      return text === undefined ? undefined : current.seal({ text, owner: given.owner });
    },
  };
}

function sealOf(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'swarmdeck held key', 32));
  return {
    seal({ text, owner }: { text: string; owner: string }): Uint8Array {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(owner));
      return Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
    },
    unseal({ sealed, owner }: { sealed: Uint8Array; owner: string }): string | undefined {
      const bytes = Buffer.from(sealed);
      const end = bytes.length - tagBytes;
      if (end < ivBytes) return undefined;
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(end));
      try {
        return opening.update(bytes.subarray(ivBytes, end), undefined, 'utf8') + opening.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
