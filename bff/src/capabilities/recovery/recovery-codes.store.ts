import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { NewRecoveryCodes } from '../../contract.ts';
import { codesOfUser } from './limits.ts';
import { noCodes } from '../../core/accounts/accounts.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { raw, sql, type Sql, type Statement } from '../../core/store/statement.ts';

/** Without characters that look like another one: 24 of them have 118 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const codeLength = 24;
const groups = /.{4}(?=.)/g;

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
  function replacement(userName: string): { made: NewRecoveryCodes; statements: Statement[] } {
    const codes = Array.from({ length: codesOfUser }, newCode);
    const hashes = JSON.stringify(codes.map(hashOf));
    const setId = randomUUID();
    const statements = [
      sql`DELETE FROM recovery_codes WHERE user_id = ${userName}`,
      sql`INSERT INTO recovery_codes (user_id, hash, set_id, stored)
          SELECT ${userName}, value, ${setId}, 0 FROM elements(${hashes})`,
    ];
    return { made: { recovery_codes: codes, set_id: setId }, statements };
  }

  /** How many the user has not used. */
  async function left(userName: string): Promise<number> {
    const [found] = await db.read<{ amount: number }>(
      sql`SELECT count(*) AS amount FROM recovery_codes WHERE user_id = ${userName}`,
    );
    return found!.amount;
  }

  /** The user must be locked by the same write. */
  async function replacementIf(
    userName: string,
    condition: Sql,
  ): Promise<{ made: NewRecoveryCodes; statements: (Statement | CodesUnchanged)[] }> {
    const ofUser = sql`SELECT 1 FROM "user" WHERE username = ${userName}`;
    const applies = (await db.read(sql`${ofUser} AND ${condition}`)).length > 0;
    const unchanged: CodesUnchanged = {
      ...sql`${ofUser} AND ${raw(applies ? '' : 'NOT')} (${condition})`,
      orFail: 'codes changed',
    };
    if (!applies) return { made: noCodes, statements: [unchanged] };
    const { made, statements } = replacement(userName);
    return { made, statements: [unchanged, ...statements] };
  }

  return {
    replacement,
    left,

    /** New codes for a user who has none left, and no new ones for others. */
    replacementOfNone: (userName: string) =>
      replacementIf(userName, sql`NOT EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userName})`),

    /** The same for a user who has not stored the codes: the answer that showed them may be lost. */
    replacementOfUnstored: (userName: string) =>
      replacementIf(userName, sql`EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userName} AND stored = 0)`),

    /**
     * The user has stored the codes that were shown with this id. Repeated, it changes nothing.
     * @throws Problem `recovery_codes.replaced` if there are newer ones, or all of these were used
     */
    async noteStored({ userName, setId }: { userName: string; setId: string }): Promise<void> {
      const ofSet = sql`user_id = ${userName} AND set_id = ${setId}`;
      // A write that fails costs others their commit.
      const isNewest = (await db.read(sql`SELECT 1 FROM recovery_codes WHERE ${ofSet}`)).length > 0;
      const change = {
        ...sql`UPDATE recovery_codes SET stored = 1 WHERE ${ofSet}`,
        user: userName,
        orFail: 'replaced' as const,
      };
      if (!isNewest || !(await db.write([change])).ok) throw new Problem('recovery_codes.replaced');
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
