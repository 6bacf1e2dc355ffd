/** The mails that wait. Text and link are made when one is sent, so no code is stored. */
import { dayMs } from '../../core/limits/durations.ts';
import { mailLimits, signInLimits } from '../../core/limits/part-limits.ts';
import type { Database } from '../../core/store/database.ts';
import { allRows, listOf, raw, sql, type Statement } from '../../core/store/statement.ts';

/** One link, or one change of which a user is told. */
export interface WaitingMail {
  user_id: string;
  /** `verify` and `link` are links. Another one is what has changed. */
  kind: string;
  address: string;
  language: string;
  user_agent: string | null;
  at: string;
}

/** A row that one process sends. `next_at`: in ms, when others may send it if that process has ended. */
export interface ClaimedMail extends WaitingMail {
  seq: number;
  attempts: number;
  next_at: number;
  ends_at: number;
}

type NewMail = Omit<WaitingMail, 'at'>;

const notice = raw(`(kind NOT IN ('verify', 'link'))`);
const isNotice = ({ kind }: Pick<WaitingMail, 'kind'>) => kind !== 'verify' && kind !== 'link';

/**
 * Keeps a number of rows of each user, and of all. Beyond it, the newest notice of the user who has most goes; a link goes if there is no
 * notice.
 */
const trim: Statement = {
  sql: `DELETE FROM mails WHERE seq IN (SELECT seq FROM (
          SELECT seq, of_user, row_number() OVER (ORDER BY is_notice, of_user, seq) AS of_all FROM (
            SELECT seq, ${notice.sql} AS is_notice, row_number() OVER (PARTITION BY user_id ORDER BY ${notice.sql}, seq) AS of_user
            FROM mails) AS ranked) AS placed
          WHERE of_user > ${mailLimits.ofUser} OR of_all > ${mailLimits.waiting}) RETURNING user_id`,
  isResult: true,
};

export function createMailStore({ db, now }: { db: Database; now: () => Date }) {
  const time = () => now().getTime();
  /** No try is later than this, unless the clock was set back. */
  const latest = () => time() + mailLimits.retryMs.at(-1)! + mailLimits.claimedMs;
  const isDue = () => sql`(next_at <= ${time()} OR next_at > ${latest()})`;
  const ofRows = (rows: readonly ClaimedMail[]) => sql`seq IN (${listOf(rows.map(({ seq }) => seq))})`;
  const ofClaim = (rows: readonly ClaimedMail[]) => sql`${ofRows(rows)} AND next_at = ${rows[0]!.next_at}`;

  /** A notice waits for those that follow. They are due together, and become one mail. */
  const insert = (mail: NewMail): Statement => {
    const { user_id, kind, address, language, user_agent } = mail;
    const at = time();
    const due = isNotice(mail)
      ? sql`coalesce((SELECT min(next_at) FROM mails WHERE user_id = ${user_id} AND address = ${address}
            AND attempts = 0 AND ${notice} AND next_at > ${at}), ${at + mailLimits.gatherMs})`
      : sql`${at}`;
    const ends = at + (isNotice(mail) ? dayMs : signInLimits.linkMs);
    return sql`INSERT INTO mails (user_id, kind, address, language, user_agent, at, next_at, ends_at)
      SELECT username, ${kind}, ${address}, ${language}, ${user_agent}, ${now().toISOString()}, ${due}, ${ends}
      FROM "user" WHERE username = ${user_id}`;
  };

  return {
    /** Returns the users of the mails for which there was no place. */
    async add(mails: readonly NewMail[]): Promise<string[]> {
      const written = await db.write([
        ...mails.flatMap((mail): Statement[] => [
          // The end of the account waits for it, or it for the end.
          { sql: 'SELECT 1 FROM "user" WHERE username = $1 FOR SHARE', params: [mail.user_id] },
          insert(mail),
        ]),
        trim,
      ]);
      return written.ok ? allRows<{ user_id: string }>(written.rows).map(({ user_id }) => user_id) : [];
    },

    /**
     * Takes what goes into the next mail: a link before notices, and one that was not tried before others. Undefined if nothing is due;
     * empty if another process has taken it.
     */
    async claim(): Promise<ClaimedMail[] | undefined> {
      const [next] = await db.read<WaitingMail>(
        sql`SELECT user_id, kind, address FROM mails WHERE ${isDue()} ORDER BY ${notice}, attempts, next_at, seq LIMIT 1`,
      );
      if (!next) return undefined;
      const sameMail = isNotice(next)
        ? sql`${notice} AND user_id = ${next.user_id}`
        : next.kind === 'verify'
          ? sql`kind = 'verify' AND user_id = ${next.user_id}`
          : // One mail has the links of all accounts.
            sql`kind = 'link'`;
      const written = await db.write([
        {
          ...sql`UPDATE mails SET attempts = attempts + 1, next_at = ${time() + mailLimits.claimedMs}
            WHERE seq IN (SELECT seq FROM mails WHERE address = ${next.address} AND ${sameMail} AND ${isDue()}
              ORDER BY seq LIMIT ${mailLimits.ofMail}) AND ${isDue()} RETURNING seq, user_id, kind, address, language, user_agent, at, attempts, next_at, ends_at`,
          isResult: true,
        },
      ]);
      return written.ok ? allRows<ClaimedMail>(written.rows).toSorted((a, b) => a.seq - b.seq) : [];
    },

    remove: async (rows: readonly ClaimedMail[]) =>
      void (await db.write([sql`DELETE FROM mails WHERE ${ofRows(rows)}`])),

    /** Another try follows, unless what is sent has ended by then. Returns whether one follows. */
    async tryLater(rows: readonly ClaimedMail[]): Promise<boolean> {
      const { retryMs } = mailLimits;
      const tries = Math.max(...rows.map(({ attempts }) => attempts));
      const next = time() + (retryMs[tries - 1] ?? retryMs.at(-1)!);
      await db.write([
        sql`UPDATE mails SET next_at = ${next} WHERE ${ofClaim(rows)}`,
        sql`DELETE FROM mails WHERE ${ofRows(rows)} AND ends_at <= ${next}`,
      ]);
      return rows.some(({ ends_at }) => ends_at > next);
    },

    /** A stop has ended this try, which does not count. */
    giveBack: async (rows: readonly ClaimedMail[]) =>
      void (await db.write([
        sql`UPDATE mails SET attempts = attempts - 1, next_at = ${time()} WHERE ${ofClaim(rows)}`,
      ])),

    async count(): Promise<number> {
      return (await db.read<{ amount: number }>({ sql: 'SELECT count(*) AS amount FROM mails' }))[0]!.amount;
    },
  };
}
