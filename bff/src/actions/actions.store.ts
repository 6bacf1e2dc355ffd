import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Action,
  type ActionItem,
  type ActionKind,
  type ActionResult,
  type ActionState,
  type ProblemCode,
} from '../contract.ts';
import { Problem } from '../problem.ts';
import { actionLimits } from '../limits/field-rules.ts';
import type { Database } from '../store/database.ts';
import { createAdaptiveSliceSize } from '../store/adaptive-slice-size.ts';
import { takenByRestore } from '../store/adopt-copy.ts';
import { firstRow, type Query, type Statement, type Value } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';
import type { Before } from './kinds.ts';

/** Items that are stored, and executed, together: another user's write waits for two such chunks at most. */
export const chunkSize = 100;
/** Actions of a user that have not ended may count as this many. One that waits with a single item counts as one. */
const mostOpen = 25 * actionLimits.open;
const listedAtMost = 600;
const historyPage = 50;
const writtenAtOnce = 10;
/** Parts that one statement searches for ids, of up to 100 kB each or more. */
const searchedParts = { least: 4, first: 4, most: 64 };
/** Of a user. Beyond, the oldest are deleted before the next action is stored, some at once. */
const endedAtMost = 1.25 * actionLimits.ended;
/** Another user waits for the commits of so many at most. */
export const mostChunksOfTurn = 5;

export interface ActionRow {
  id: string;
  user_id: string;
  kind: ActionKind;
  about: string;
  state: ActionState;
  total: number;
  done: number;
  failed: number;
  undoable: number;
  wait: number;
  runs_at: string | null;
  created_at: string;
  ended_at: string | null;
  undone_by: string | null;
  is_dismissed: number;
  /** The process that executes it, or has executed it; empty before, and after a pause. */
  taken_by: string;
  /** Until when no other process takes it. Of an ended action: a turn that was executed at its end has no results yet. */
  taken_until: string;
}

/** The result of an item after an unexpected error. */
export const serverFailed = { code: 'server.failed' };

/** An item with what it replaces. Of the inverse action: the original item, and what that has replaced. */
export interface StoredItem {
  item: ActionItem;
  before?: Before;
}

export interface ActionChunk {
  part: number;
  items: ActionItem[];
  before: Before[] | undefined;
  /** The problems by the index of the item; undefined until the items were executed. */
  problems: Record<string, NonNullable<ActionResult>> | undefined;
}

/** The result of an item that was executed. Those of a chunk without problems were ended by an unexpected error. */
export const resultOf = ({ problems }: ActionChunk, index: number): ActionResult =>
  problems ? (problems[index] ?? null) : serverFailed;

const dismissals = {
  always: 'is_dismissed = 1',
  'unless failed': 'is_dismissed = CASE WHEN failed = 0 THEN 1 ELSE 0 END',
};

export const columns = `id, user_id, kind, about, state, total, done, failed, undoable, wait, runs_at, created_at, ended_at, undone_by,
  is_dismissed, taken_by, taken_until`;
const partColumns = 'action_id, part, items, before, results';
type PartRow = { action_id: string; part: number; items: string; before: string | null; results: string | null };

function chunkOf({ part, items, before, results }: PartRow): ActionChunk {
  return {
    part,
    items: JSON.parse(items) as ActionItem[],
    before: before === null ? undefined : (JSON.parse(before) as Before[]),
    problems: results === null ? undefined : (JSON.parse(results) as ActionChunk['problems']),
  };
}

export type Reads = Pick<Database, 'read'>;
export type ActionStore = ReturnType<typeof createActionStore>;

/** No action runs later than this, and no process takes one for longer, unless the clock was set back. */
export const latestSeconds = 2 * actionLimits.wait;

/** So many chunks of an action, from `part` on. */
export async function readChunks(
  reads: Reads,
  { action, part, count }: { action: string; part: number; count: number },
): Promise<ActionChunk[]> {
  const rows = await reads.read<PartRow>({
    sql: `SELECT ${partColumns} FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3 ORDER BY part`,
    params: [action, part, part + count],
  });
  return rows.map(chunkOf);
}

/** What users store and read of their actions. action-turns.store.ts has what the runner does with them. */
export function createActionStore({ db, now }: { db: Database; now: () => Date }) {
  const at = (seconds = 0) => new Date(now().getTime() + seconds * 1000).toISOString();

  const insertPart = (action: string, part: number, some: readonly StoredItem[]): Statement => ({
    sql: 'INSERT INTO action_parts (action_id, part, items, before) VALUES ($1, $2, $3, $4)',
    params: [
      action,
      part,
      JSON.stringify(some.map(({ item }) => item)),
      some.some(({ before }) => before !== undefined) ? JSON.stringify(some.map(({ before }) => before)) : null,
    ],
  });
  /** Other requests are answered between the chunks, whose texts may be long. */
  async function insertParts(action: string, first: number, items: readonly StoredItem[]): Promise<Statement[]> {
    const inserts: Statement[] = [];
    for (let from = 0; from < items.length; from += chunkSize) {
      if (from > 0) await nextTurn();
      inserts.push(insertPart(action, first + from / chunkSize, items.slice(from, from + chunkSize)));
    }
    return inserts;
  }
  const bytesOf = (inserts: readonly Statement[]) =>
    inserts.reduce((sum, { params: [, , items, before] = [] }) => sum + byteLength(items) + byteLength(before), 0);
  /** `except`: the id of an action that does not count. */
  const withinBytes = (user: string, bytes: number, except = ''): Statement<'too large'> => ({
    sql: `SELECT 1 WHERE (SELECT coalesce(sum(bytes), 0) FROM actions WHERE user_id = $1 AND ended_at IS NULL AND id <> $3) <= $2`,
    params: [user, actionLimits.bytes - bytes, except],
    orFail: 'too large',
  });
  const inState = (action: string, user: string, states: readonly ActionState[]): Statement<'other state'> => ({
    sql: `SELECT 1 FROM actions WHERE id = $1 AND user_id = $2 AND state IN (SELECT value FROM elements($3)) FOR UPDATE`,
    params: [action, user, JSON.stringify(states)],
    user,
    orFail: 'other state',
  });

  async function find(id: string): Promise<ActionRow | undefined> {
    const [row] = await db.read<ActionRow>({ sql: `SELECT ${columns} FROM actions WHERE id = $1`, params: [id] });
    return row;
  }

  /** @throws `action.not_found` */
  async function require({ id, user }: { id: string; user: string }): Promise<ActionRow> {
    const row = await find(id);
    if (row?.user_id !== user) throw new Problem('action.not_found');
    return row;
  }

  const tooMany = (code: ProblemCode, most: number, what: string) =>
    new Problem(code, {
      detail: `An account can have up to ${most.toLocaleString('en')} ${what} that have not ended.`,
    });
  const tooLarge = () => tooMany('action.too_many_items', actionLimits.bytes, 'bytes of items of actions');

  /** The oldest ended actions beyond the limits, of one user or of all. */
  async function beyondLimits(user?: string): Promise<{ id: string }[]> {
    const newer = 'OVER (PARTITION BY user_id ORDER BY ended_at DESC, id DESC)';
    const sql = `SELECT id FROM (SELECT id, sum(total) ${newer} AS items, sum(bytes) ${newer} - bytes AS newer_bytes,
          row_number() ${newer} AS place FROM actions
        WHERE ended_at IS NOT NULL ${user === undefined ? '' : 'AND user_id = $1'}) AS ended
      WHERE items > ${actionLimits.items} OR newer_bytes > ${actionLimits.bytes} OR place > ${actionLimits.ended}`;
    return db.read<{ id: string }>({ sql, params: user === undefined ? [] : [user], isLong: true });
  }

  async function removeAll(actions: readonly { id: string }[]): Promise<void> {
    const given = 'IN (SELECT value FROM elements($1))';
    const some = `SELECT action_id, part FROM action_parts WHERE action_id ${given} LIMIT ${writtenAtOnce}`;
    for (let from = 0; from < actions.length; from += chunkSize) {
      const params = [JSON.stringify(actions.slice(from, from + chunkSize).map(({ id }) => id))];
      const sql = `DELETE FROM action_parts WHERE (action_id, part) IN (${some})`;
      while ((await db.write([{ sql, params, orFail: 'none left' }])).ok);
      await db.write([{ sql: `DELETE FROM actions WHERE id ${given}`, params }]);
    }
  }

  const stateProblem = ({ state }: ActionRow) =>
    new Problem('action.state', { detail: `This is not possible: the action is ${state}` });

  return {
    find,
    require,
    stateProblem,

    /** Those that were not dismissed, newest first. Of those that have ended, only as long as what their items share has few bytes. */
    list: (reads: Reads, user: string) =>
      reads.read<ActionRow>({
        sql: `SELECT ${columns} FROM (SELECT ${columns}, sum(octet_length(about)) OVER newest AS listed,
                  row_number() OVER newest AS place FROM actions WHERE user_id = $1 AND is_dismissed = 0
                WINDOW newest AS (ORDER BY ended_at IS NOT NULL, created_at DESC, id DESC)) AS mine
              WHERE ended_at IS NULL OR (listed <= ${actionLimits.bytesListed} AND place <= ${listedAtMost})
              ORDER BY created_at DESC, id DESC`,
        params: [user],
      }),
    findAll: (ids: readonly string[]) =>
      db.read<ActionRow>({
        sql: `SELECT ${columns} FROM actions WHERE id IN (SELECT value FROM elements($1))`,
        params: [JSON.stringify(ids)],
      }),
    /** A page of those that have ended, newest first. `before`: the time and the id of the last one. */
    history: (user: string, before: readonly [string, string] = ['~', '']) =>
      db.read<ActionRow>({
        sql: `SELECT ${columns} FROM actions WHERE user_id = $1 AND (ended_at, id) < ($2, $3)
              ORDER BY ended_at DESC, id DESC LIMIT ${historyPage}`,
        params: [user, ...before],
      }),
    historyPage,

    /** The bytes of the items of these actions. */
    async bytesOfItems(reads: Reads, ids: readonly string[]): Promise<Map<string, number>> {
      const rows = await reads.read<{ action_id: string; bytes: number }>({
        sql: `SELECT action_id, CAST(sum(octet_length(items)) AS bigint) AS bytes FROM action_parts
              WHERE action_id IN (SELECT value FROM elements($1)) GROUP BY action_id`,
        params: [JSON.stringify(ids)],
      });
      return new Map(rows.map(({ action_id, bytes }) => [action_id, bytes]));
    },

    /** The chunks of these actions. */
    async chunksOf(reads: Reads, ids: readonly string[]): Promise<Map<string, ActionChunk[]>> {
      const rows = await reads.read<PartRow>({
        sql: `SELECT action_id, part, items, NULL AS before, results FROM action_parts
              WHERE action_id IN (SELECT value FROM elements($1)) ORDER BY action_id, part`,
        params: [JSON.stringify(ids)],
      });
      const byAction = new Map<string, ActionChunk[]>(ids.map((id) => [id, []]));
      for (const row of rows) byAction.get(row.action_id)!.push(chunkOf(row));
      return byAction;
    },

    /** The last chunks of an action, from `part` on, and those before with items with these ids, the last first. */
    async chunksWith(reads: Reads, action: string, ids: readonly string[], part: number): Promise<ActionChunk[]> {
      const left = new Set(ids);
      const found: ActionChunk[] = [];
      const add = (chunks: ActionChunk[]) => {
        found.push(...chunks.toReversed());
        for (const { items } of chunks) for (const item of items) left.delete((item as { id?: string }).id!);
      };
      add(await readChunks(reads, { action, part, count: 2 }));
      const size = createAdaptiveSliceSize(searchedParts);
      for (let end = part; end > 0 && left.size > 0;) {
        const from = Math.max(0, end - size.rows);
        const slice: Query = {
          sql: `SELECT ${partColumns} FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3
                  AND EXISTS (SELECT 1 FROM elements(items) e
                    WHERE json_extract(e.value, '$.id') IN (SELECT value FROM elements($4)))
                ORDER BY part`,
          params: [action, from, end, JSON.stringify([...left])],
        };
        add((await size.timed(() => reads.read<PartRow>(slice))).map(chunkOf));
        end = from;
      }
      return found;
    },

    chunks: (action: string, part: number, count: number, reads: Reads = db) =>
      readChunks(reads, { action, part, count }),

    /**
     * Stores an action in the state `uploading`, or with its items. `isNew`: false if the same request was sent before.
     * @throws `action.too_many`, `action.too_many_items`, `session.missing`; `action.not_found` if the id is another user's
     */
    async create(
      action: Pick<ActionRow, 'id' | 'user_id' | 'kind' | 'total' | 'wait'> & { about: object },
      items?: readonly StoredItem[],
    ): Promise<{ row: ActionRow; isNew: boolean }> {
      const { id, user_id, kind, about, total, wait } = action;
      const state: ActionState = items ? 'pending' : 'uploading';
      const ofUser = 'FROM actions WHERE user_id = $1 AND ended_at';
      const open = `${ofUser} IS NULL`;
      const weight = total === 1 && items ? 1 : mostOpen / actionLimits.open;
      const inserts = items ? await insertParts(id, 0, items) : [];
      const shared = JSON.stringify(about);
      const bytes = bytesOf(inserts) + byteLength(shared);
      const fewEnded: Statement<'too many ended'> = {
        sql: `SELECT 1 WHERE (SELECT coalesce(sum(bytes), 0) ${ofUser} IS NOT NULL) <= ${2 * actionLimits.bytes}
              AND (SELECT count(*) ${ofUser} IS NOT NULL) <= ${endedAtMost}`,
        params: [user_id],
        orFail: 'too many ended',
      };
      const insert = (conditions: (typeof fewEnded)[] = []) =>
        db.write([
          lockUser(user_id),
          ...conditions,
          {
            sql: `SELECT 1 WHERE (SELECT coalesce(sum(CASE WHEN total = 1 AND state = 'pending' THEN 1
                  ELSE ${mostOpen / actionLimits.open} END), 0) ${open}) <= $2`,
            params: [user_id, mostOpen - weight],
            orFail: 'too many',
          },
          {
            sql: `SELECT 1 WHERE (SELECT coalesce(sum(total), 0) ${open}) <= $2`,
            params: [user_id, actionLimits.items - total],
            orFail: 'too many items',
          },
          withinBytes(user_id, bytes),
          {
            sql: `INSERT INTO actions (id, user_id, kind, about, state, total, bytes, wait, runs_at, created_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING ${columns}`,
            params: [id, user_id, kind, shared, state, total, bytes, wait, items ? at(wait) : null, at()],
            orFail: 'exists',
            isResult: true,
          },
          ...inserts,
        ]);
      let written = await insert([fewEnded]);
      if (!written.ok && written.failed === 'too many ended') {
        await removeAll(await beyondLimits(user_id));
        // What is left is not checked again: the newest ended action stays at any size.
        written = await insert();
      }
      if (written.ok) return { row: firstRow<ActionRow>(written.rows), isNew: true };
      // The same request was sent twice at once.
      if (written.failed === 'exists') return { row: await require({ id, user: user_id }), isNew: false };
      if (written.failed === 'no user') throw new Problem('session.missing');
      if (written.failed === 'too many') throw tooMany('action.too_many', actionLimits.open, 'actions');
      if (written.failed === 'too large') throw tooLarge();
      throw tooMany('action.too_many_items', actionLimits.items, 'items of actions');
    },

    /**
     * Stores items of an action that is being uploaded; those of the same parts that were stored before are replaced. An undo
     * may have any size, because an ended action has stored the same; only the user's other actions are bounded.
     * @throws `action.not_found`, `action.state`, `action.too_many_items`
     */
    async putParts(
      action: string,
      { first, user, items, isUndo }: { first: number; user: string; items: StoredItem[]; isUndo?: boolean },
    ) {
      const inserts = await insertParts(action, first, items);
      const parts = [action, first, first + inserts.length];
      const written = await db.write([
        inState(action, user, ['uploading']),
        {
          sql: `UPDATE actions SET bytes = bytes + $4
                  - (SELECT coalesce(sum(octet_length(items) + coalesce(octet_length(before), 0)), 0) FROM action_parts
                     WHERE action_id = $1 AND part >= $2 AND part < $3)
                WHERE id = $1`,
          params: [...parts, bytesOf(inserts)],
        },
        withinBytes(user, 0, isUndo ? action : ''),
        { sql: 'DELETE FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3', params: parts },
        ...inserts,
      ]);
      if (!written.ok && written.failed === 'too large') throw tooLarge();
      if (!written.ok) throw stateProblem(await require({ id: action, user }));
    },

    /** The ids in those items of the user's open actions that were not executed. */
    async openIds(user: string, reads: Reads): Promise<ReadonlySet<string>> {
      const ids = new Set<string>();
      const open = await reads.read<Pick<ActionRow, 'id'>>({
        sql: 'SELECT id FROM actions WHERE user_id = $1 AND ended_at IS NULL',
        params: [user],
      });
      for (const { id } of open) {
        for (let after = -1; ;) {
          const rows = await reads.read<{ part: number; id: string | null }>({
            sql: `SELECT p.part, json_extract(e.value, '$.id') AS id
                  FROM (SELECT part, items FROM action_parts WHERE action_id = $1 AND part > $2 AND results IS NULL
                    ORDER BY part LIMIT ${writtenAtOnce}) p, elements(p.items) e
                  ORDER BY p.part`,
            params: [id, after],
          });
          if (rows.length === 0) break;
          for (const row of rows) ids.add(row.id ?? '');
          after = rows.at(-1)!.part;
        }
      }
      return ids;
    },

    /** Stores items that the server reads. Returns their number. */
    async fill(
      { id, user_id: user, kind }: Pick<ActionRow, 'id' | 'user_id' | 'kind'>,
      source: AsyncIterable<StoredItem[]>,
    ): Promise<number> {
      let count = 0;
      let waiting: StoredItem[] = [];
      const store = async (items: StoredItem[]) => {
        await this.putParts(id, { first: count / chunkSize, user, items, isUndo: kind === 'undo' });
        count += items.length;
      };
      for await (const some of source) {
        // Not push(...some): so many arguments do not fit on the stack.
        waiting = waiting.concat(some);
        while (waiting.length >= writtenAtOnce * chunkSize) {
          await store(waiting.slice(0, writtenAtOnce * chunkSize));
          waiting = waiting.slice(writtenAtOnce * chunkSize);
        }
      }
      if (waiting.length > 0) await store(waiting);
      return count;
    },

    /** The parts of an upload that are missing. */
    async missingParts(reads: Reads, { id, total }: ActionRow, partSize: number): Promise<number[]> {
      const stored = await reads.read<{ part: number }>({
        sql: 'SELECT part FROM action_parts WHERE action_id = $1',
        params: [id],
      });
      const parts = new Set(stored.map(({ part }) => Math.floor((part * chunkSize) / partSize)));
      return Array.from({ length: Math.ceil(total / partSize) }, (_, part) => part).filter((part) => !parts.has(part));
    },

    /**
     * Changes an action that is in one of these states. `undoes`: the action whose inverse this is.
     * @throws `action.not_found`, `action.state`
     */
    async change(change: {
      id: string;
      user: string;
      from: ActionState[];
      /** Refuses an action whose time has come: the runner may take it at any moment. */
      unlessDue?: boolean;
      to: Partial<Pick<ActionRow, 'state' | 'runs_at' | 'ended_at' | 'total'>>;
      dismissed?: keyof typeof dismissals;
      undoes?: string;
    }): Promise<ActionRow> {
      const { id, user, from, unlessDue, to, dismissed, undoes } = change;
      const set = Object.keys(to).map((column, index) => `${column} = $${index + 2}`);
      if (dismissed) set.push(dismissals[dismissed]);
      const written = await db.write([
        inState(id, user, from),
        ...(unlessDue
          ? [
              {
                sql: 'SELECT 1 FROM actions WHERE id = $1 AND runs_at > $2',
                params: [id, at()],
                orFail: 'due' as const,
              },
            ]
          : []),
        {
          sql: `UPDATE actions SET ${set.join(', ')} WHERE id = $1 RETURNING ${columns}`,
          params: [id, ...Object.values(to)],
          isResult: true,
        },
        ...(undoes === undefined
          ? []
          : [
              {
                sql: 'UPDATE actions SET undone_by = $2 WHERE id = $1 AND undone_by IS NULL',
                params: [undoes, id],
                orFail: 'undone' as const,
              },
            ]),
      ]);
      if (written.ok) return firstRow<ActionRow>(written.rows);
      throw stateProblem(await require({ id: written.failed === 'undone' ? undoes! : id, user }));
    },

    /**
     * Writes the chunks of an action that waits which have changed, and deletes those from `count` on. Undefined if other
     * items were removed since it was read.
     * @throws `action.not_found`, `action.state`
     */
    async replaceChunks(
      { id, user_id, total }: ActionRow,
      { changed, newTotal }: { changed: { part: number; items: StoredItem[] }[]; newTotal: number },
    ): Promise<ActionRow | undefined> {
      const inserts = changed.map(({ part, items }) => insertPart(id, part, items));
      const replaced = `FROM action_parts WHERE action_id = $1
        AND (part >= $2 OR part IN (SELECT CAST(value AS bigint) FROM elements($3)))`;
      const parts = [id, Math.ceil(newTotal / chunkSize), JSON.stringify(changed.map(({ part }) => part))];
      const written = await db.write([
        inState(id, user_id, ['pending']),
        {
          sql: `UPDATE actions SET total = $5, bytes = bytes + $6
                  - (SELECT coalesce(sum(octet_length(items) + coalesce(octet_length(before), 0)), 0) ${replaced})
                WHERE id = $1 AND total = $4 RETURNING ${columns}`,
          params: [...parts, total, newTotal, bytesOf(inserts)],
          orFail: 'other items',
          isResult: true,
        },
        { sql: `DELETE ${replaced}`, params: parts },
        ...inserts,
      ]);
      if (written.ok) return firstRow<ActionRow>(written.rows);
      if (written.failed === 'other state') throw stateProblem(await require({ id, user: user_id }));
      return undefined;
    },

    /** Deletes the items of a stopped action that no turn has begun, nor the next one has read. */
    async removeNotExecuted({ id, done }: ActionRow): Promise<void> {
      const first = Math.ceil(done / chunkSize) + 2 * mostChunksOfTurn;
      const some = `FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3`;
      for (let part = first; ; part += writtenAtOnce) {
        const params = [id, part, part + writtenAtOnce];
        const bytes = `(SELECT coalesce(sum(octet_length(items) + coalesce(octet_length(before), 0)), 0) ${some})`;
        const { ok } = await db.write([
          { sql: `UPDATE actions SET bytes = bytes - ${bytes} WHERE id = $1`, params },
          { sql: `DELETE ${some}`, params, orFail: 'none left' },
        ]);
        if (!ok) return;
      }
    },

    /** Deletes an action that has not begun. @throws `action.not_found`, `action.state` */
    async remove({
      id,
      user,
      from = ['uploading', 'pending'],
    }: {
      id: string;
      user: string;
      from?: ActionState[];
    }): Promise<void> {
      const deletion = { sql: 'DELETE FROM actions WHERE id = $1', params: [id] };
      const { ok } = await db.write([inState(id, user, from), deletion]);
      if (!ok) throw stateProblem(await require({ id, user }));
    },

    /**
     * Deletes what is old, uploads that were not started, and the oldest of too many actions, items or bytes. The newest one
     * stays at any size, so that it can be undone.
     */
    async purge(): Promise<void> {
      const hour = 3600;
      const old = await db.read<{ id: string }>({
        sql: `SELECT id FROM actions WHERE (state = 'uploading' AND created_at < $1) OR (ended_at < $2 AND total = 1)
                OR ended_at < $3`,
        params: [at(-hour), at(-24 * hour), at(-30 * 24 * hour)],
        isLong: true,
      });
      await removeAll([...old, ...(await beyondLimits())]);
    },
  };
}

export const byteLength = (value: Value | undefined) => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** The record of the wire format, without items. */
export function actionOf(row: ActionRow, options: { isWaiting: boolean; canUndo: boolean; at: string }): Action {
  const { id, kind, about, total, done, failed, runs_at, created_at, ended_at, undone_by } = row;
  // without a wait there is no time to undo it, also not until the runner takes it
  const state = row.state === 'pending' && row.wait === 0 ? 'running' : row.state;
  return {
    id,
    kind,
    about: JSON.parse(about) as never,
    state,
    total,
    done,
    failed,
    runs_at,
    created_at,
    ended_at,
    changed: options.canUndo ? row.undoable : done - failed,
    is_waiting: options.isWaiting && (state === 'running' || state === 'pending') && runs_at! <= options.at,
    can_undo: options.canUndo && state === 'ended' && row.undoable > 0 && undone_by === null,
    undone_by,
    ...(state === 'paused' && row.taken_by === takenByRestore && { is_restored: true }),
  };
}
