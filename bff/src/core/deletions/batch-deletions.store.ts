import type { Database } from '../store/database.ts';
import type { ResourceRow } from '../store/resource-fields.ts';
import type { SwarmRow } from '../store/row-types.ts';
import type { Stores } from '../stores.ts';

/**
 * Records that are deleted in one commit, and the memberships that end with them, unless one resource has more: another
 * user's write waits for two such commits at most.
 */
const batchSize = 100;
const membershipsAtOnce = 500;
/** The parts of an action that are deleted at once, each with 100 items and what they replace. */
const partsAtOnce = 10;

/** Deletes many records as if one by one, in batches. The runner of actions executes them between its chunks. */
export function createBatchDeletions({
  db,
  resources,
  swarms,
  invitations,
}: Pick<Stores, 'resources' | 'swarms' | 'invitations'> & { db: Database }) {
  /** Divides resources into batches that are deleted in one commit each. */
  async function* batchesOf(ids: readonly string[]) {
    const rows = await db.read<{ id: string; swarms: number }>({
      sql: `SELECT value AS id, (SELECT count(*) FROM memberships WHERE resource_id = value) AS swarms FROM elements($1)`,
      params: [JSON.stringify(ids)],
    });
    let batch: string[] = [];
    let memberships = 0;
    for (const { id, swarms: more } of rows) {
      if (batch.length === batchSize || (batch.length > 0 && memberships + more > membershipsAtOnce)) {
        yield batch;
        [batch, memberships] = [[], 0];
      }
      batch.push(id);
      memberships += more;
    }
    if (batch.length > 0) yield batch;
  }

  /** Deletes a batch of what a user owns: each step returns false if it has nothing left. */
  const deleteBatchOf = async (userId: string): Promise<boolean> =>
    (await deleteResources(userId)) ||
    (await withdrawInvitations(userId)) ||
    (await deleteSwarm(userId)) ||
    (await removeName(userId)) ||
    (await deleteUsage(userId));

  async function deleteResources(userId: string): Promise<boolean> {
    const sql = `SELECT id FROM resources WHERE user_id = $1 ORDER BY created_at, ref LIMIT ${batchSize}`;
    const found = await db.read<Pick<ResourceRow, 'id'>>({ sql, params: [userId] });
    if (found.length === 0) return false;
    for await (const ids of batchesOf(found.map(({ id }) => id))) await resources.destroyAll({ userId, ids });
    return true;
  }

  async function withdrawInvitations(userId: string): Promise<boolean> {
    const open = await db.read<{ id: string; swarmId: string }>({
      sql: `SELECT id, swarm_id AS "swarmId" FROM invitations WHERE "from" = $1 AND status = 'new' LIMIT ${batchSize}`,
      params: [userId],
    });
    await Promise.all(open.map(({ id, swarmId }) => invitations.withdraw({ ids: [id], swarmId, actor: userId })));
    return open.length > 0;
  }

  async function deleteSwarm(userId: string): Promise<boolean> {
    const sql = 'SELECT id FROM swarms WHERE user_id = $1 LIMIT 1';
    const [swarm] = await db.read<Pick<SwarmRow, 'id'>>({ sql, params: [userId] });
    return swarm !== undefined && swarms.destroy({ id: swarm.id, userId, version: undefined });
  }

  /** Removes the user's name from what others may read about past audiences. */
  async function removeName(userId: string): Promise<boolean> {
    const named = `SELECT seq FROM audience_changes WHERE user_id = $1 AND user_id <> '' LIMIT ${batchSize}`;
    if ((await db.read({ sql: named, params: [userId] })).length === 0) return false;
    const sql = `UPDATE audience_changes SET user_id = '' WHERE seq IN (${named})`;
    await db.write([{ sql, params: [userId], rows: batchSize }]);
    return true;
  }

  /** Deletes stored answers, and after the last one the counts of the user's quotas. */
  async function deleteUsage(userId: string): Promise<boolean> {
    const written = await db.write([
      {
        sql: `DELETE FROM idempotency WHERE user_id = $1
              AND key IN (SELECT key FROM idempotency WHERE user_id = $1 LIMIT ${batchSize}) RETURNING 1`,
        params: [userId],
        isResult: true,
      },
      {
        sql: `DELETE FROM usage WHERE user_id = $1 AND NOT EXISTS (SELECT 1 FROM idempotency WHERE user_id = $1)`,
        params: [userId],
      },
    ]);
    return written.ok && written.rows.length > 0;
  }

  /** Deletes a part of an action of an ended account, which has no user. Returns false if nothing was left. */
  async function deleteActionParts(): Promise<boolean> {
    const [action] = await db.read<{ id: string }>({ sql: `SELECT id FROM actions WHERE user_id = '' LIMIT 1` });
    if (!action) return false;
    const params = [action.id];
    const parts = 'FROM action_parts WHERE action_id = $1';
    await db.write([
      { sql: `DELETE ${parts} AND part IN (SELECT part ${parts} LIMIT ${partsAtOnce})`, params },
      { sql: `DELETE FROM actions WHERE id = $1 AND NOT EXISTS (SELECT 1 ${parts})`, params },
    ]);
    return true;
  }

  /** An account whose records are being deleted: its name is retired, and it still uses quotas. */
  let ended: string | undefined;

  return {
    deleteBatchOf,
    /** Deletes a batch of what is left of accounts, with their actions, and of swarms. Returns false if nothing was left. */
    async deleteBatch(): Promise<boolean> {
      if (await swarms.purgeSome()) return true;
      if (await deleteActionParts()) return true;
      if (ended !== undefined && (await deleteBatchOf(ended))) return true;
      const sql = `SELECT name FROM retired_names WHERE EXISTS (SELECT 1 FROM usage WHERE user_id = name) LIMIT 1`;
      [ended] = (await db.read<{ name: string }>({ sql, isLong: true })).map(({ name }) => name);
      return ended !== undefined;
    },

    async records({
      userId,
      resources: ids,
      swarms: swarmIds,
    }: Record<'resources' | 'swarms', string[]> & { userId: string }) {
      for (let from = 0; from < ids.length; from += batchSize) {
        for await (const batch of batchesOf(ids.slice(from, from + batchSize)))
          await resources.destroyAll({ userId, ids: batch });
      }
      for (const id of swarmIds) await swarms.destroy({ id, userId, version: undefined });
    },
  };
}
