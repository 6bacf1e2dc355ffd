/** How many actions, items and bytes a user may have, and the deletion of the actions that are too many or too old. */
import { hourMs } from '../../core/limits/durations.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import type { Statement } from '../../core/store/statement.ts';
import type { ProblemCode } from '../../contract.ts';
import { chunksAtOnce, chunkSize } from './chunks.store.ts';

/** The largest sum of the weights of a user's actions that have not ended. One that waits with a single item weighs one. */
const mostOpen = 25 * actionLimits.open;
/** The weight of an action that has more items, or that runs. */
const weightOfLarge = mostOpen / actionLimits.open;
/** Ended actions of a user. If there are more, the oldest ones are deleted together before the next action is stored. */
const mostEnded = 1.25 * actionLimits.ended;

const ofUser = 'FROM actions WHERE user_id = $1 AND ended_at';
const openOfUser = `${ofUser} IS NULL`;

/** Fails the write if the user may have no other action with so many items. */
export const withinCounts = ({
  user,
  total,
  isUploaded,
}: {
  user: string;
  total: number;
  isUploaded: boolean;
}): Statement<'too many' | 'too many items'>[] => [
  {
    sql: `SELECT 1 WHERE (SELECT coalesce(sum(CASE WHEN total = 1 AND state = 'pending' THEN 1
                  ELSE ${weightOfLarge} END), 0) ${openOfUser}) <= $2`,
    params: [user, mostOpen - (total === 1 && !isUploaded ? 1 : weightOfLarge)],
    orFail: 'too many',
  },
  {
    sql: `SELECT 1 WHERE (SELECT coalesce(sum(total), 0) ${openOfUser}) <= $2`,
    params: [user, actionLimits.items - total],
    orFail: 'too many items',
  },
];

/** Fails the write if the user's open actions may not have so many bytes more. `except`: the id of an action that does not count. */
export const withinBytes = (user: string, bytes: number, except = ''): Statement<'too large'> => ({
  sql: `SELECT 1 WHERE (SELECT coalesce(sum(bytes), 0) ${openOfUser} AND id <> $3) <= $2`,
  params: [user, actionLimits.bytes - bytes, except],
  orFail: 'too large',
});

export const hasFewEnded = (user: string): Statement<'too many ended'> => ({
  sql: `SELECT 1 WHERE (SELECT coalesce(sum(bytes), 0) ${ofUser} IS NOT NULL) <= ${2 * actionLimits.bytes}
              AND (SELECT count(*) ${ofUser} IS NOT NULL) <= ${mostEnded}`,
  params: [user],
  orFail: 'too many ended',
});

const tooMany = (code: ProblemCode, most: number, what: string) =>
  new Problem(code, {
    detail: `An account can have up to ${most.toLocaleString('en')} ${what} that have not ended.`,
  });
export const tooManyActions = () => tooMany('action.too_many', actionLimits.open, 'actions');
export const tooManyItems = () => tooMany('action.too_many_items', actionLimits.items, 'items of actions');
export const tooLarge = () => tooMany('action.too_many_items', actionLimits.bytes, 'bytes of items of actions');

/** The oldest ended actions beyond the limits, of this user, or of all users. */
async function beyondLimits(db: Database, user?: string): Promise<{ id: string }[]> {
  const newer = 'OVER (PARTITION BY user_id ORDER BY ended_at DESC, id DESC)';
  const sql = `SELECT id FROM (SELECT id, sum(total) ${newer} AS items, sum(bytes) ${newer} - bytes AS newer_bytes,
          row_number() ${newer} AS rank FROM actions
        WHERE ended_at IS NOT NULL ${user === undefined ? '' : 'AND user_id = $1'}) AS ended
      WHERE items > ${actionLimits.items} OR newer_bytes > ${actionLimits.bytes} OR rank > ${actionLimits.ended}`;
  return db.read<{ id: string }>({ sql, params: user === undefined ? [] : [user], isLong: true });
}

async function deleteActions(db: Database, actions: readonly { id: string }[]): Promise<void> {
  const given = 'IN (SELECT value FROM elements($1))';
  const batch = `SELECT action_id, part FROM action_parts WHERE action_id ${given} LIMIT ${chunksAtOnce}`;
  for (let from = 0; from < actions.length; from += chunkSize) {
    const params = [JSON.stringify(actions.slice(from, from + chunkSize).map(({ id }) => id))];
    const sql = `DELETE FROM action_parts WHERE (action_id, part) IN (${batch})`;
    while ((await db.write([{ sql, params, orFail: 'none left' }])).ok);
    await db.write([{ sql: `DELETE FROM actions WHERE id ${given}`, params }]);
  }
}

/** Deletes a user's oldest ended actions beyond the limits. The newest one stays at any size, so that it can be undone. */
export async function deleteBeyondLimits(db: Database, user: string): Promise<void> {
  await deleteActions(db, await beyondLimits(db, user));
}

/** Deletes the actions of all users that are old or beyond the limits, and uploads that were not started. */
export async function purgeActions(db: Database, now: Date): Promise<void> {
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs).toISOString();
  const old = await db.read<{ id: string }>({
    sql: `SELECT id FROM actions WHERE (state = 'uploading' AND created_at < $1) OR (ended_at < $2 AND total = 1)
                OR ended_at < $3`,
    params: [before(1), before(24), before(30 * 24)],
    isLong: true,
  });
  await deleteActions(db, [...old, ...(await beyondLimits(db))]);
}
