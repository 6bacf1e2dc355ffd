import { createHash, randomInt } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { raw, sql, type Statement } from '../store/statement.ts';

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
type CodeUnused = Statement<'code used'>;

/** Fails a write if the user has used the last code, or has new ones, since they were counted. */
type CodesUnchanged = Statement<'codes changed'>;

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>;

/** The codes by which users choose a new password when they have lost theirs. Each works once; only its hash is stored. */
export function createRecoveryCodes({ db }: { db: Database }) {
  /** New codes, and the statements that replace the user's codes by them. */
  function replacement(userName: string): { codes: string[]; statements: Statement[] } {
    const codes = Array.from({ length: codesAtOnce }, newCode);
    const hashes = JSON.stringify(codes.map(hashOf));
    const statements = [
      sql`DELETE FROM recovery_codes WHERE user_id = ${userName}`,
      sql`INSERT INTO recovery_codes (user_id, hash) SELECT ${userName}, value FROM elements(${hashes})`,
    ];
    return { codes, statements };
  }

  /** How many the user has not used. */
  async function left(userName: string): Promise<number> {
    const [found] = await db.read<{ amount: number }>(
      sql`SELECT count(*) AS amount FROM recovery_codes WHERE user_id = ${userName}`,
    );
    return found!.amount;
  }

  return {
    replacement,
    left,

    /** New codes for a user who has none left, and no new ones for others. The user must be locked by the same write. */
    async replacementOfNone(
      userName: string,
    ): Promise<{ codes: string[]; statements: (Statement | CodesUnchanged)[] }> {
      const hasSome = (await left(userName)) > 0;
      const unchanged: CodesUnchanged = {
        ...sql`SELECT 1 FROM "user" WHERE username = ${userName}
          AND ${raw(hasSome ? 'EXISTS' : 'NOT EXISTS')} (SELECT 1 FROM recovery_codes WHERE user_id = ${userName})`,
        orFail: 'codes changed',
      };
      if (hasSome) return { codes: [], statements: [unchanged] };
      const { codes, statements } = replacement(userName);
      return { codes, statements: [unchanged, ...statements] };
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
