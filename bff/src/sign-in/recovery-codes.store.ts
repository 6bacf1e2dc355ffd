import { createHash, randomInt } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { sql, type Statement } from '../store/statement.ts';

/** Without characters that look like another one: 24 of them have 118 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const codeLength = 24;
const groups = /.{4}(?=.)/g;
const codesAtOnce = 10;

/** `abcd-efgh-…`, for reading and typing. */
function newCode(): string {
  const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return code.replaceAll(groups, '$&-');
}

/** A hash without salt is enough, because codes are random. How a code is spaced and written does not count. */
function hashOf(code: string): string {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(letters).digest('base64url');
}

/** Fails a write if the code was used, or replaced, since it was looked up. */
export type CodeUnused = Statement<'code used'>;

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>;

/** The codes by which users choose a new password when they have lost theirs. Each works once; only its hash is stored. */
export function createRecoveryCodes({ db }: { db: Database }) {
  return {
    /** New codes, and the statements that replace the user's codes by them. */
    replacement(userName: string): { codes: string[]; statements: Statement[] } {
      const codes = Array.from({ length: codesAtOnce }, newCode);
      const hashes = JSON.stringify(codes.map(hashOf));
      const statements = [
        sql`DELETE FROM recovery_codes WHERE user_id = ${userName}`,
        sql`INSERT INTO recovery_codes (user_id, hash) SELECT ${userName}, value FROM elements(${hashes})`,
      ];
      return { codes, statements };
    },

    /** How many the user has not used. */
    async left(userName: string): Promise<number> {
      const [found] = await db.read<{ amount: number }>(
        sql`SELECT count(*) AS amount FROM recovery_codes WHERE user_id = ${userName}`,
      );
      return found!.amount;
    },

    /**
     * Returns a statement that uses the code up. Undefined, after the same one read, for a wrong or used code and for an unknown
     * or disabled user.
     */
    async find({ userName, code }: { userName: string; code: string }): Promise<CodeUnused | undefined> {
      const hash = hashOf(code);
      const ofEnabled = sql`user_id = ${userName} AND hash = ${hash} AND EXISTS
        (SELECT 1 FROM "user" u WHERE u.username = ${userName} AND u.disabled_at IS NULL)`;
      const found = await db.read(sql`SELECT 1 FROM recovery_codes WHERE ${ofEnabled}`);
      if (found.length === 0) return undefined;
      return { ...sql`DELETE FROM recovery_codes WHERE ${ofEnabled}`, orFail: 'code used' };
    },
  };
}
