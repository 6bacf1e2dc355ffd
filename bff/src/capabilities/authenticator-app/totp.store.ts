import { randomBytes } from 'node:crypto';
import type { NewRecoveryCodes } from '../../contract.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { createSeal } from '../../core/store/seal.ts';
import type { Secrets } from '../../core/store/secret.ts';
import { sql, type Statement } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import type { Codes } from '../../core/accounts/ways.ts';
import type { SecondFactors } from '../../core/accounts/second-factors.store.ts';
import {
  sessionStrengthened,
  strengthened,
  type Session,
  type SessionLives,
} from '../../core/accounts/sessions.store.ts';

/** What authenticator apps expect if nothing else is said, and some of them in any case. */
const digits = 6;
const periodMs = 30_000;
const secretBytes = 20;
/** Of this step first. What a phone shows is typed when the next code is already there, and the clock of the phone or of the server may be behind. */
const acceptedSteps = [0, -1, 1];

/** SQL: whether the user `u` has an app. */
export const hasApp = sql`EXISTS (SELECT 1 FROM totp t WHERE t.user_id = u.username AND t.confirmed_at IS NOT NULL)`;

export const codeOfApp = /^\d{6}$/;
/** Apps show a code as two groups. */
export const plainCode = (typed: string): string => typed.replaceAll(/\s/g, '');

/** Fails a write if the code, or a later one, was used already, or if the user has another app now. */
type AppCodeUnused = Statement<'code used'>;

export type Totp = ReturnType<typeof createTotp>;

interface TurnedOn {
  made: NewRecoveryCodes;
  isRepeated: boolean;
}

interface StoredApp {
  sealed: Uint8Array;
  isOn: boolean;
  /** Of the last code that was used. */
  lastStep: number;
}

/** The authenticator apps of users: at most one of each. Its secret is encrypted in the database. */
export function createTotp({
  db,
  secrets,
  codes,
  secondFactors,
  publicUrl,
  now,
}: {
  db: Database;
  secrets: Secrets;
  codes: () => Pick<Codes, 'replacementOfNone' | 'replacementOfUnstored'>;
  secondFactors: Pick<SecondFactors, 'removed'>;
  publicUrl: string;
  now: () => Date;
}) {
  const { seal, unseal, sealAllAgain } = createSeal(secrets, 'totp');

  async function find(userName: string): Promise<StoredApp | undefined> {
    const [found] = await db.read<{ sealed: Uint8Array; confirmed_at: string | null; last_step: number }>(
      sql`SELECT sealed, confirmed_at, last_step FROM totp WHERE user_id = ${userName}`,
    );
    return found && { sealed: found.sealed, isOn: found.confirmed_at !== null, lastStep: found.last_step };
  }

  /** The step of the code; undefined if it is wrong. */
  async function stepOf({ userName, sealed, code }: { userName: string; sealed: Uint8Array; code: string }) {
    const secret = unseal({ sealed, owner: userName });
    if (secret === undefined || !codeOfApp.test(code)) return undefined;
    const { Secret, TOTP } = await import('otpauth');
    const app = new TOTP({ secret: Secret.fromHex(secret), digits, period: periodMs / 1000 });
    const timestamp = now().getTime();
    const found = acceptedSteps.find(
      (step) => app.validate({ token: code, timestamp: timestamp + step * periodMs, window: 0 }) !== null,
    );
    return found === undefined ? undefined : Math.floor(timestamp / periodMs) + found;
  }

  /**
   * The first code turns it on, and cannot be used to sign in. A user without recovery codes gets some in the same write, and
   * they are returned: nobody is locked out who loses the app.
   *
   * A code of an app that is on is another try after a lost answer (`isRepeated`). It may be the code that was used last, but
   * no older one, and is used up. The recovery codes that the user has not stored are replaced, because the lost answer may have
   * shown them. These may also be codes that were made before, such as at the sign-up.
   * @throws Problem `totp.wrong_code`, `totp.not_found`, `totp.exists` if an app is on and the code is wrong or too old, or the
   *   session is limited and another session has turned it on
   */
  async function confirm(given: { session: Session; code: string; lives: SessionLives }): Promise<TurnedOn> {
    const { session, code, lives } = given;
    const { userName } = session;
    const app = await find(userName);
    if (!app) throw new Problem('totp.not_found');
    const { isOn, sealed, lastStep } = app;
    const step = await stepOf({ userName, sealed, code });
    if (step === undefined) throw new Problem(isOn ? 'totp.exists' : 'totp.wrong_code');
    if (isOn && step < lastStep) throw new Problem('totp.exists');
    const { made, statements } = isOn
      ? await codes().replacementOfUnstored(userName)
      : await codes().replacementOfNone(userName);
    const ofApp = sql`user_id = ${userName} AND sealed = ${sealed}`;
    const on = isOn
      ? sql`UPDATE totp SET last_step = ${step} WHERE ${ofApp} AND confirmed_at IS NOT NULL AND last_step <= ${step}`
      : sql`UPDATE totp SET confirmed_at = ${now().toISOString()}, last_step = ${step}
          WHERE ${ofApp} AND confirmed_at IS NULL`;
    // The user of a limited session had no second factor. The app is on since: by another session, or by this one, whose request
    // was sent twice at one moment.
    const isLate = isOn && session.isLimited;
    const written = await db.write([
      lockUser(userName),
      isLate ? sessionStrengthened(session, 'app') : lives,
      { ...on, orFail: 'changed' },
      ...statements,
      ...(isOn ? [] : [strengthened(session, 'app')]),
    ]);
    if (written.ok) return { made, isRepeated: isOn };
    // The same request may have turned it on meanwhile.
    if (written.failed === 'changed' || written.failed === 'codes changed') return confirm(given);
    if (isLate) throw new Problem('totp.exists');
    if (session.isLimited && (await find(userName))?.isOn) return confirm(given);
    throw new Problem('session.missing');
  }

  return {
    confirm,
    isOn: async (userName: string): Promise<boolean> => (await find(userName))?.isOn === true,

    /** Fails a write if the user has an app, whose code was not asked for. */
    isOff: (userName: string): Statement<'has app'> => ({
      ...sql`SELECT 1 FROM "user" WHERE username = ${userName} AND NOT EXISTS
        (SELECT 1 FROM totp WHERE user_id = ${userName} AND confirmed_at IS NOT NULL)`,
      orFail: 'has app',
    }),

    /**
     * A new secret, for the app and as an address that it scans. It counts when a first code has confirmed it.
     * @throws Problem `totp.exists`
     */
    async begin({
      userName,
      lives,
    }: {
      userName: string;
      lives: SessionLives;
    }): Promise<{ secret: string; url: string }> {
      const { Secret, TOTP } = await import('otpauth');
      const secret = new Secret({ buffer: Uint8Array.from(randomBytes(secretBytes)).buffer });
      const sealed = seal({ text: secret.hex, owner: userName });
      const written = await db.write([
        lockUser(userName),
        lives,
        {
          ...sql`INSERT INTO totp (user_id, sealed, last_step) VALUES (${userName}, ${sealed}, 0)
            ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, last_step = 0 WHERE totp.confirmed_at IS NULL`,
          orFail: 'exists',
        },
      ]);
      if (!written.ok) throw new Problem(written.failed === 'exists' ? 'totp.exists' : 'session.missing');
      const issuer = `Swarmdeck ${new URL(publicUrl).host}`;
      const url = new TOTP({ issuer, label: userName, secret, digits, period: periodMs / 1000 }).toString();
      return { secret: secret.base32, url };
    },

    /** Returns false if the user has none. @throws Problem `second_factor.last` */
    async remove({ session, lives }: { session: Session; lives: SessionLives }): Promise<boolean> {
      const { userName } = session;
      const app = await find(userName);
      if (!app) return false;
      const written = await db.write([
        lockUser(userName),
        lives,
        sql`DELETE FROM totp WHERE user_id = ${userName}`,
        ...(app.isOn ? secondFactors.removed(session) : []),
      ]);
      if (!written.ok) throw new Problem(written.failed === 'last factor' ? 'second_factor.last' : 'session.missing');
      return app.isOn;
    },

    /**
     * For the operator, with these statements in the same write. Returns false if there is no such user.
     * @throws Problem `totp.not_found`
     */
    async takeFrom(userName: string, also: readonly Statement[]): Promise<boolean> {
      const written = await db.write([
        lockUser(userName),
        {
          ...sql`DELETE FROM totp WHERE user_id = ${userName} AND confirmed_at IS NOT NULL`,
          orFail: 'no app',
        },
        ...also,
      ]);
      if (!written.ok && written.failed === 'no app') throw new Problem('totp.not_found');
      return written.ok;
    },

    /** Returns a statement that uses the code up. Undefined for a wrong code, and for a user without an app. */
    async verify({ userName, code }: { userName: string; code: string }): Promise<AppCodeUnused | undefined> {
      const app = await find(userName);
      const step = app?.isOn ? await stepOf({ userName, sealed: app.sealed, code }) : undefined;
      if (!app || step === undefined) return undefined;
      return {
        ...sql`UPDATE totp SET last_step = ${step}
          WHERE user_id = ${userName} AND sealed = ${app.sealed} AND last_step < ${step}`,
        orFail: 'code used',
      };
    },

    /** Is called after a change of the server's secret. */
    sealAllAgain: () => sealAllAgain({ db, table: 'totp' }),
  };
}
