/** The actions of users, and the changes of their states. due-actions.store.ts has what the runner does with them. */
import type { ActionState } from '../../contract.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { belongsTo } from '../../core/store/of-user.ts';
import { firstRow, sql, type Statement } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import {
  deleteBeyondLimits,
  hasFewEnded,
  tooLarge,
  tooManyActions,
  tooManyItems,
  withinBytes,
  withinCounts,
} from './action-limits.store.ts';
import { columns, stateProblem, type ActionRow } from './action-row.ts';
import { byteLength, bytesOf, insertChunk, insertChunks, type Reads, type StoredItem } from './chunks.store.ts';

const listedAtMost = 600;
export const historyPage = 50;

/** No action runs later than this, and no process takes one for longer, unless the clock was set back. */
export const latestSeconds = 2 * actionLimits.undoSeconds;

/** An action of this user. */
interface OwnAction {
  id: string;
  user: string;
}

export async function findAction(reads: Reads, id: string): Promise<ActionRow | undefined> {
  const [row] = await reads.read<ActionRow>({ sql: `SELECT ${columns} FROM actions WHERE id = $1`, params: [id] });
  return row;
}

/** @throws `action.not_found` */
export async function requireAction(reads: Reads, { id, user }: OwnAction): Promise<ActionRow> {
  const row = await findAction(reads, id);
  if (row?.user_id !== user) throw new Problem('action.not_found');
  return row;
}

export const findActions = (reads: Reads, ids: readonly string[]): Promise<ActionRow[]> =>
  reads.read<ActionRow>({
    sql: `SELECT ${columns} FROM actions WHERE id IN (SELECT value FROM elements($1))`,
    params: [JSON.stringify(ids)],
  });

/** A user's actions that were not dismissed, newest first. Ended ones are left out when what their items share has too many bytes. */
export const listActions = (reads: Reads, user: string): Promise<ActionRow[]> =>
  reads.read<ActionRow>({
    sql: `SELECT ${columns} FROM (SELECT ${columns}, sum(octet_length(about)) OVER newest AS listed,
                  row_number() OVER newest AS rank FROM actions WHERE user_id = $1 AND is_dismissed = 0
                WINDOW newest AS (ORDER BY ended_at IS NOT NULL, created_at DESC, id DESC)) AS mine
              WHERE ended_at IS NULL OR (listed <= ${actionLimits.bytesListed} AND rank <= ${listedAtMost})
              ORDER BY created_at DESC, id DESC`,
    params: [user],
  });

/** SQL: the only item is this record, whose id is the first field of the item. */
const ofOne = `total = 1 AND EXISTS (SELECT 1 FROM action_parts p WHERE p.action_id = actions.id AND p.part = 0 AND p.items LIKE $4)`;

/**
 * A page of the actions that have ended, newest first. `before`: the time and the id of the last one of the previous page.
 * `resourceId`: only those of this resource alone.
 */
export const readHistory = (
  reads: Reads,
  request: { user: string; before: readonly [string, string] | undefined; resourceId: string | undefined },
): Promise<ActionRow[]> => {
  const { user, before = ['~', ''], resourceId } = request;
  return reads.read<ActionRow>({
    sql: `SELECT ${columns} FROM actions WHERE user_id = $1 AND (ended_at, id) < ($2, $3)
              ${resourceId === undefined ? '' : `AND ${ofOne}`} ORDER BY ended_at DESC, id DESC LIMIT ${historyPage}`,
    params: [user, ...before, ...(resourceId === undefined ? [] : [`[{"id":"${resourceId}"%`])],
  });
};

/** Which of these devices are this user's. */
export async function findOwnDevices(reads: Reads, user: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await reads.read<{ id: string }>(
    sql`SELECT id FROM resources WHERE id IN (SELECT value FROM elements(${JSON.stringify(ids)})) AND ${belongsTo(user)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Fails the write if the action is in none of these states. It stays in its state until the commit. */
export const inState = ({ id, user }: OwnAction, states: readonly ActionState[]): Statement<'other state'> => ({
  sql: `SELECT 1 FROM actions WHERE id = $1 AND user_id = $2 AND state IN (SELECT value FROM elements($3)) FOR UPDATE`,
  params: [id, user, JSON.stringify(states)],
  user,
  orFail: 'other state',
});

export type NewAction = Pick<ActionRow, 'id' | 'user_id' | 'kind' | 'total' | 'wait'> & { about: object };

/**
 * Stores an action in the state `uploading`, or with its items. `at`: the time in so many seconds. `isNew`: false if the same
 * request was sent before.
 * @throws `action.too_many`, `action.too_many_items`, `session.missing`; `action.not_found` if the id is another user's
 */
export async function createAction(
  db: Database,
  { action, items, at }: { action: NewAction; items?: readonly StoredItem[]; at: (seconds: number) => string },
): Promise<{ row: ActionRow; isNew: boolean }> {
  const { id, user_id: user, kind, about, total, wait } = action;
  const state: ActionState = items ? 'pending' : 'uploading';
  const inserts = items ? await insertChunks(id, { first: 0, items }) : [];
  const shared = JSON.stringify(about);
  const bytes = bytesOf(inserts) + byteLength(shared);
  const insert = (conditions: ReturnType<typeof hasFewEnded>[] = []) =>
    db.write([
      lockUser(user),
      ...conditions,
      ...withinCounts({ user, total, isUploaded: !items }),
      withinBytes(user, bytes),
      {
        sql: `INSERT INTO actions (id, user_id, kind, about, state, total, bytes, wait, runs_at, created_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING ${columns}`,
        params: [id, user, kind, shared, state, total, bytes, wait, items ? at(wait) : null, at(0)],
        orFail: 'exists',
        isResult: true,
      },
      ...inserts,
    ]);
  let written = await insert([hasFewEnded(user)]);
  if (!written.ok && written.failed === 'too many ended') {
    await deleteBeyondLimits(db, user);
    // The condition is not checked again: the newest ended action stays at any size.
    written = await insert();
  }
  if (written.ok) return { row: firstRow<ActionRow>(written.rows), isNew: true };
  // The request was sent twice at once.
  if (written.failed === 'exists') return { row: await requireAction(db, { id, user }), isNew: false };
  if (written.failed === 'no user') throw new Problem('session.missing');
  if (written.failed === 'too many') throw tooManyActions();
  if (written.failed === 'too large') throw tooLarge();
  throw tooManyItems();
}

/** Stores an action of one item that was executed already. Of a user whose account has ended, nothing is stored. */
export async function recordAction(
  db: Database,
  { action, stored, at }: { action: NewAction; stored: StoredItem; at: (seconds: number) => string },
): Promise<void> {
  const { id, user_id: user, kind, about, wait } = action;
  const chunk = insertChunk(id, 0, [stored]);
  const shared = JSON.stringify(about);
  const insert = (conditions: ReturnType<typeof hasFewEnded>[] = []) =>
    db.write([
      lockUser(user),
      ...conditions,
      {
        sql: `INSERT INTO actions (id, user_id, kind, about, state, total, done, undoable, bytes, wait, created_at, ended_at,
                  is_dismissed)
                VALUES ($1, $2, $3, $4, 'ended', 1, 1, 1, $5, $6, $7, $7, 1)`,
        params: [id, user, kind, shared, bytesOf([chunk]) + byteLength(shared), wait, at(0)],
      },
      chunk,
      { sql: `UPDATE action_parts SET results = '{}' WHERE action_id = $1`, params: [id] },
    ]);
  const written = await insert([hasFewEnded(user)]);
  if (written.ok || written.failed !== 'too many ended') return;
  await deleteBeyondLimits(db, user);
  await insert();
}

const dismissals = {
  always: 'is_dismissed = 1',
  'unless failed': 'is_dismissed = CASE WHEN failed = 0 THEN 1 ELSE 0 END',
};

export interface ActionChange {
  to: Partial<Pick<ActionRow, 'state' | 'runs_at' | 'ended_at' | 'total'>>;
  dismissed?: keyof typeof dismissals;
  /** Refuses an action whose time has come by now: the runner may take it at any moment. */
  unlessDue?: { now: string };
  /** This action undoes that one, or tries its failed items again. Each is done once. */
  follows?: Followed;
}

export interface Followed {
  id: string;
  by: 'undoing' | 'retrying';
}

const marks = {
  undoing: { column: 'undone_by', set: 'undone_by = $2' },
  retrying: { column: 'retried_by', set: 'retried_by = $2, is_dismissed = 1' },
} as const;

/** @throws `action.not_found`, `action.state` if another action has done it before */
export async function requireNotFollowed(reads: Reads, { id, user, by }: Followed & OwnAction): Promise<void> {
  const row = await requireAction(reads, { id, user });
  if (row[marks[by].column] !== null) throw stateProblem(row);
}

/** If this action has executed none of the failed items that it was created for, another action may try them again. */
const giveBackRetry = ({ id, user }: OwnAction): Statement => ({
  sql: `UPDATE actions SET retried_by = NULL WHERE user_id = $2 AND retried_by = $1
          AND EXISTS (SELECT 1 FROM actions retry WHERE retry.id = $1 AND retry.done = 0 AND retry.taken_until = '')`,
  params: [id, user],
});

/**
 * Changes an action that is in one of these states.
 * @throws `action.not_found`, `action.state`
 */
export async function changeAction(
  db: Database,
  { id, user, from, ...change }: OwnAction & { from: readonly ActionState[] } & ActionChange,
): Promise<ActionRow> {
  const { to, dismissed, unlessDue, follows } = change;
  const set = Object.keys(to).map((column, index) => `${column} = $${index + 2}`);
  if (dismissed) set.push(dismissals[dismissed]);
  const statements: Statement<'other state' | 'due' | 'followed'>[] = [inState({ id, user }, from)];
  if (unlessDue)
    statements.push({
      sql: 'SELECT 1 FROM actions WHERE id = $1 AND runs_at > $2',
      params: [id, unlessDue.now],
      orFail: 'due',
    });
  statements.push({
    sql: `UPDATE actions SET ${set.join(', ')} WHERE id = $1 RETURNING ${columns}`,
    params: [id, ...Object.values(to)],
    isResult: true,
  });
  if (follows) {
    const { column, set: mark } = marks[follows.by];
    statements.push({
      sql: `UPDATE actions SET ${mark} WHERE id = $1 AND ${column} IS NULL`,
      params: [follows.id, id],
      orFail: 'followed',
    });
  }
  if (to.state === 'ended') statements.push(giveBackRetry({ id, user }));
  const written = await db.write(statements);
  if (written.ok) return firstRow<ActionRow>(written.rows);
  throw stateProblem(await requireAction(db, { id: written.failed === 'followed' ? follows!.id : id, user }));
}

/** Deletes an action that has not begun. @throws `action.not_found`, `action.state` */
export async function removeAction(
  db: Database,
  { id, user }: OwnAction,
  from: readonly ActionState[] = ['uploading', 'pending'],
): Promise<void> {
  const deletion = { sql: 'DELETE FROM actions WHERE id = $1', params: [id] };
  const { ok } = await db.write([inState({ id, user }, from), giveBackRetry({ id, user }), deletion]);
  if (!ok) throw stateProblem(await requireAction(db, { id, user }));
}
