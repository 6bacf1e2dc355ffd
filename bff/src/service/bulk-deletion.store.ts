import type { Database } from '../store/database.ts';
import type { ResourceRow, SwarmRow } from '../store/row-types.ts';
import type { Batches } from './background-batches.ts';
import type { Invitations } from './invitations.store.ts';
import type { Resources } from './resources.store.ts';
import type { Swarms } from './swarms.store.ts';

/** Records that are deleted in one commit: another user's write waits for two such commits at most. */
const batchSize = 100;

/** Deletes many records as if one by one, in batches. */
export function createBulkDeletion(options: {
  db: Database;
  batches: Batches;
  resources: Resources;
  swarms: Swarms;
  invitations: Invitations;
}) {
  const { db, batches, resources, swarms, invitations } = options;

  /** Returns true when nothing is left. */
  async function deleteBatchOf(userId: string): Promise<boolean> {
    const sql = `SELECT id FROM resources WHERE user_id = $1 ORDER BY created_at, id LIMIT ${batchSize}`;
    const found = await db.read<Pick<ResourceRow, 'id'>>({ sql, params: [userId] });
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) {
      await resources.destroyAll({ userId, ids });
      return false;
    }
    const open = await db.read<{ id: string; swarmId: string }>({
      sql: `SELECT id, swarm_id AS "swarmId" FROM invitations WHERE "from" = $1 AND status = 'new' LIMIT ${batchSize}`,
      params: [userId],
    });
    if (open.length > 0) {
      await Promise.all(open.map((invitation) => invitations.withdraw({ ...invitation, actor: userId })));
      return false;
    }
    const oneSwarm = { sql: 'SELECT id FROM swarms WHERE user_id = $1 LIMIT 1', params: [userId] };
    const [swarm] = await db.read<Pick<SwarmRow, 'id'>>(oneSwarm);
    if (swarm) {
      await swarms.destroy({ id: swarm.id, version: undefined });
      return false;
    }
    const written = await db.write([
      {
        sql: `DELETE FROM idempotency WHERE user_id = $1
              AND key IN (SELECT key FROM idempotency WHERE user_id = $1 LIMIT ${batchSize}) RETURNING 1`,
        params: [userId],
      },
      {
        sql: `DELETE FROM usage WHERE user_id = $1 AND NOT EXISTS (SELECT 1 FROM idempotency WHERE user_id = $1)`,
        params: [userId],
      },
    ]);
    return written.ok && written.rows[0]!.length === 0;
  }

  const ofUser = (userId: string) => batches.run(() => deleteBatchOf(userId));

  return {
    /**
     * Deletes everything that a user owns. The account itself must have ended before, so that nothing can be added.
     * Interrupted, it is resumed after the next start if the name is retired.
     */
    ofUser,

    async records({
      userId,
      resources: ids,
      swarms: swarmIds,
    }: Record<'resources' | 'swarms', string[]> & { userId: string }) {
      let from = 0;
      await batches.run(async () => {
        await resources.destroyAll({ userId, ids: ids.slice(from, from + batchSize) });
        from += batchSize;
        return from >= ids.length;
      });
      for (const id of swarmIds) await swarms.destroy({ id, version: undefined });
    },

    /** Finishes the deletions that a stop or a crash of the server interrupted. */
    async resume() {
      // a retired name owns nothing, except while its account is being deleted
      const sql = `SELECT name FROM retired_names WHERE EXISTS (SELECT 1 FROM resources WHERE user_id = retired_names.name)
        OR EXISTS (SELECT 1 FROM swarms WHERE user_id = retired_names.name)`;
      for (const { name } of await db.read<{ name: string }>({ sql, isLong: true })) await ofUser(name);
      await swarms.purgeDestroyed();
    },
  };
}
