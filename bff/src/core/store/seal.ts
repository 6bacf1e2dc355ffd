import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import type { Secrets } from './secret.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const sealedAtOnce = 500;

/**
 * AES-256-GCM with a separate key that is derived from the server's secret for each purpose. `owner` is the associated data. Encrypts with
 * the first secret. `held key` is the purpose of gateway keys: the word is a part of the keys that encrypt what is stored.
 */
export function createSeal(
  secrets: Secrets,
  purpose: 'held key' | 'webhook' | 'push' | 'sign-in step' | 'totp' | 'browser' = 'held key',
) {
  const seals = secrets.map((secret) => sealOf(secret, purpose));
  const { seal, unseal } = seals[0]!;
  const unsealWithAny = (given: { sealed: Uint8Array; owner: string }) =>
    seals.map((each) => each.unseal(given)).find((text) => text !== undefined);
  return {
    seal,
    /** Undefined if the bytes were encrypted for another owner or with another secret, or were modified. */
    unseal: unsealWithAny,
    /** Encrypts what a table has for its users with the first secret, if it was encrypted with another one. */
    async sealAllAgain({
      db,
      table,
    }: {
      db: Database;
      table: 'held_keys' | 'webhooks' | 'push_keys' | 'totp';
    }): Promise<void> {
      for (let after = ''; ;) {
        const rows = await db.read<{ user_id: string; sealed: Uint8Array }>({
          sql: `SELECT user_id, sealed FROM ${table} WHERE user_id > $1 ORDER BY user_id LIMIT ${sealedAtOnce}`,
          params: [after],
        });
        if (rows.length === 0) return;
        const statements = rows.flatMap(({ user_id, sealed }) => {
          const given = { sealed, owner: user_id };
          const text = unseal(given) === undefined ? unsealWithAny(given) : undefined;
          // What was replaced meanwhile is not overwritten.
          const sql = `UPDATE ${table} SET sealed = $1 WHERE user_id = $2 AND sealed = $3`;
          return text === undefined ? [] : { sql, params: [seal({ text, owner: user_id }), user_id, sealed] };
        });
        if (statements.length > 0) await db.write(statements);
        after = rows.at(-1)!.user_id;
      }
    },
  };
}

function sealOf(secret: string, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `swarmdeck ${purpose}`, 32));
  return {
    seal({ text, owner }: { text: string; owner: string }): Uint8Array {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(owner));
      return Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
    },
    unseal({ sealed, owner }: { sealed: Uint8Array; owner: string }): string | undefined {
      const bytes = Buffer.from(sealed);
      const endIndex = bytes.length - tagBytes;
      if (endIndex < ivBytes) return undefined;
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(endIndex));
      try {
        return opening.update(bytes.subarray(ivBytes, endIndex), undefined, 'utf8') + opening.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
