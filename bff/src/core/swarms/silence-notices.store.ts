import type { Database } from '../store/database.ts';
import { lockIfAllowed } from '../endpoint/write-checks.store.ts';

export type SilenceNotices = ReturnType<typeof createSilenceNotices>;

interface ByUser {
  swarmId: string;
  userId: string;
}

/** Whether the owner, a manager or a watcher of a swarm is told when members are silent. */
export function createSilenceNotices({ db }: { db: Database }) {
  return {
    async find({ swarmId, userId }: ByUser): Promise<boolean> {
      const [found] = await db.read<{ silence_notices: number }>({
        sql: `SELECT silence_notices FROM swarms WHERE id = $1 AND user_id = $2
              UNION ALL SELECT silence_notices FROM managers WHERE swarm_id = $1 AND user_id = $2`,
        params: [swarmId, userId],
      });
      return found?.silence_notices === 1;
    },

    /** Returns false if the user may not. */
    async set({ swarmId, userId, enabled }: ByUser & { enabled: boolean }): Promise<boolean> {
      const params = [swarmId, userId, Number(enabled)];
      const written = await db.write([
        ...lockIfAllowed({ operation: 'setSilenceNotices', swarmId, userId }),
        { sql: 'UPDATE swarms SET silence_notices = $3 WHERE id = $1 AND user_id = $2', params },
        { sql: 'UPDATE managers SET silence_notices = $3 WHERE swarm_id = $1 AND user_id = $2', params },
      ]);
      return written.ok;
    },
  };
}
