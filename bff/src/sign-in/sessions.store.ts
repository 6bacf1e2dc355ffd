import type { Session as SessionRecord } from '../contract.ts';
import type { Database } from '../store/database.ts';
import type { SessionRow } from '../store/tables.ts';

const ofUser = '"userId" = (SELECT id FROM "user" WHERE username = $1)';
/** More than anyone has devices to sign in from; a script that signs in every minute must not fill the table. */
const keptForUser = 100;

interface FoundSession {
  id: string;
  username: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
}

/** The point read of every request with a cookie. */
export async function findSession(asked: { db: Database; token: string }): Promise<FoundSession | undefined> {
  const { db, token } = asked;
  const sql = `SELECT s.id, u.username, s."createdAt", s."updatedAt", s."expiresAt"
    FROM session s JOIN "user" u ON u.id = s."userId" WHERE s.token = $1`;
  const [found] = await db.read<FoundSession>({ sql, params: [token] });
  return found;
}

/** Which of these are not there, have run out by `now`, or were begun before `oldest`. */
export async function missingSessions(options: { db: Database; ids: readonly string[]; now: string; oldest: string }) {
  const { db, ids, now, oldest } = options;
  const sql = `SELECT asked.value AS id FROM elements($1) asked WHERE NOT EXISTS
    (SELECT 1 FROM session s WHERE s.id = asked.value AND s."expiresAt" > $2 AND s."createdAt" > $3)`;
  const rows = await db.read<{ id: string }>({ sql, params: [JSON.stringify(ids), now, oldest] });
  return rows.map(({ id }) => id);
}

/** False when it was ended meanwhile. */
export async function renewSession(options: { db: Database; sessionId: string; usedAt: Date; expiresAt: Date }) {
  const { db, sessionId, usedAt, expiresAt } = options;
  const sql = 'UPDATE session SET "updatedAt" = $1, "expiresAt" = $2 WHERE id = $3';
  const params = [usedAt.toISOString(), expiresAt.toISOString(), sessionId];
  return (await db.write([{ sql, params, expect: 'row' }])).ok;
}

/** Last used first. Tokens stay where they are. */
export async function listSessions(options: { db: Database; userName: string; currentId: string; now: Date }) {
  const { db, userName, currentId, now } = options;
  const at = now.toISOString();
  const rows = await db.read<Pick<SessionRow, 'id' | 'userAgent' | 'createdAt' | 'updatedAt'>>({
    sql: `SELECT id, "userAgent", "createdAt", "updatedAt" FROM session
     WHERE ${ofUser} AND "expiresAt" > $2 ORDER BY "updatedAt" DESC, id LIMIT ${keptForUser}`,
    params: [userName, at],
  });
  return rows.map((row): SessionRecord => {
    const current = row.id === currentId;
    return {
      id: row.id,
      user_agent: row.userAgent ?? '',
      created_at: row.createdAt,
      // a session is renewed once a day; the current one is in use right now
      active_at: current ? at : row.updatedAt,
      current,
    };
  });
}

/** False when there is no such session of this user. */
export async function endSession(options: { db: Database; userName: string; sessionId: string }): Promise<boolean> {
  const { db, userName, sessionId } = options;
  const sql = `DELETE FROM session WHERE id = $2 AND ${ofUser}`;
  return (await db.write([{ sql, params: [userName, sessionId], expect: 'row' }])).ok;
}

export async function endOtherSessions(options: { db: Database; userName: string; currentId: string }) {
  const { db, userName, currentId } = options;
  await db.write([{ sql: `DELETE FROM session WHERE id <> $2 AND ${ofUser}`, params: [userName, currentId] }]);
}

/** Called at each sign-in: what has expired goes, and the oldest beyond a bound. */
export async function tidySessions(options: { db: Database; userName: string; now: Date }) {
  const { db, userName, now } = options;
  await db.write([
    { sql: `DELETE FROM session WHERE ${ofUser} AND "expiresAt" <= $2`, params: [userName, now.toISOString()] },
    {
      sql: `DELETE FROM session WHERE id IN
        (SELECT id FROM session WHERE ${ofUser} ORDER BY "updatedAt" DESC LIMIT 1000000 OFFSET ${keptForUser})`,
      params: [userName],
    },
  ]);
}
