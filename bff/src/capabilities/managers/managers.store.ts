import type { ManagerRole } from '../../core/limits/field-rules.ts';
import type { Manager } from './managers.schema.ts';
import { managerLimits } from './limits.ts';
import type { Database } from '../../core/store/database.ts';
import type { ManagerRow } from '../../core/store/row-types.ts';
import type { Statement } from '../../core/store/statement.ts';
import { managerActivity } from '../../core/activity/activity.store.ts';
import type { Claim } from '../../core/endpoint/idempotency.store.ts';
import { isOpen } from '../../core/store/visibility.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { lockIfAllowed } from '../../core/endpoint/write-checks.store.ts';

const columns = 'swarm_id, user_id, role, asked_at, agreed_at, offered_at, ends_at';

interface Deps {
  db: Database;
  now: () => Date;
}

export type Managers = ReturnType<typeof createManagers>;

/** Users who manage or watch a swarm for its owner. Each write locks the swarm, as those that a manager may execute do. */
export function createManagers({ db, now }: Deps) {
  return {
    async find({ swarmId, userId }: Record<'swarmId' | 'userId', string>): Promise<Manager | undefined> {
      const sql = `SELECT ${columns} FROM managers WHERE swarm_id = $1 AND user_id = $2 AND ${isOpen('managers')}`;
      const [found] = await db.read<ManagerRow>({ sql, params: [swarmId, userId] });
      return found && managerOf(found);
    },

    /** Oldest first. */
    async ofSwarm(swarmId: string): Promise<Manager[]> {
      const sql = `SELECT ${columns} FROM managers WHERE swarm_id = $1 AND ${isOpen('managers')} ORDER BY asked_at, user_id`;
      return (await db.read<ManagerRow>({ sql, params: [swarmId] })).map(managerOf);
    },

    ask: (asked: NewManager) => ask({ db, now }, asked),
    agree: (asked: Manager, endsAt?: string) => agree({ db, now }, asked, endsAt),
    changeEnd: (changed: ChangedEnd) => changeEnd({ db, now }, changed),
    remove: (removed: RemovedManager) => remove({ db, now }, removed),
  };
}

interface NewManager {
  swarmId: string;
  owner: string;
  userId: string;
  role: ManagerRole;
  endsAt: string | undefined;
  claim: Claim;
}

/** Returns when the user was asked. `too many`: of the swarm, or the user was asked already. */
async function ask(
  { db, now }: Deps,
  asked: NewManager,
): Promise<{ at: string } | 'no user' | 'not allowed' | 'too many' | 'too many unanswered'> {
  const { swarmId, owner, userId, role, endsAt = null, claim } = asked;
  const at = now().toISOString();
  const written = await db.write([
    // This lock protects the count of what the owner's swarms ask of the user.
    lockUser(owner),
    ...lockIfAllowed({ operation: 'nameManager', swarmId, userId: owner }),
    // One that has ended and is not deleted yet.
    {
      sql: 'DELETE FROM managers WHERE swarm_id = $1 AND user_id = $2 AND ends_at <= time_now()',
      params: [swarmId, userId],
    },
    {
      sql: `INSERT INTO managers (swarm_id, user_id, role, asked_at, ends_at) SELECT $1, $2, $3, $4, $6
            WHERE (SELECT count(*) FROM managers WHERE swarm_id = $1) < $5 ON CONFLICT DO NOTHING`,
      params: [swarmId, userId, role, at, managerLimits.ofSwarm, endsAt],
      orFail: 'too many',
    },
    {
      sql: `SELECT 1 WHERE (SELECT count(*) FROM managers m JOIN swarms s ON s.id = m.swarm_id
                            WHERE m.user_id = $1 AND m.agreed_at IS NULL AND s.user_id = $2) <= $3`,
      params: [userId, owner, managerLimits.unanswered],
      orFail: 'too many unanswered',
    },
    managerActivity({ kind: `swarm.${role}_asked`, actor: owner, at, swarmId, userId }),
    ...claim(() => at),
  ]);
  return written.ok ? { at } : written.failed;
}

/** Changes nothing if the user was not asked for this role until this end, or has agreed. `endsAt`: with this end. */
async function agree({ db, now }: Deps, asked: Manager, endsAt = asked.ends_at): Promise<void> {
  const { swarm_id: swarmId, user_id: userId, role, ends_at = null } = asked;
  const at = now().toISOString();
  await db.write([
    ...lockIfAllowed({ operation: 'agreeToManage', swarmId, userId, about: userId }),
    {
      sql: `UPDATE managers SET agreed_at = greatest($3, asked_at), ends_at = $5
            WHERE swarm_id = $1 AND user_id = $2 AND role = $4 AND agreed_at IS NULL AND ends_at IS NOT DISTINCT FROM $6`,
      params: [swarmId, userId, at, role, endsAt ?? null, ends_at],
      orFail: 'not asked',
    },
    managerActivity({ kind: `swarm.${role}_agreed`, actor: userId, at, swarmId, userId }),
  ]);
}

interface ChangedEnd {
  watcher: Manager;
  to: string | null;
  actor: string;
}

/** Sets the end of a watcher; null for none. Returns false if the actor may not, or the watcher has changed. */
async function changeEnd({ db, now }: Deps, { watcher, to, actor }: ChangedEnd): Promise<boolean> {
  const { swarm_id: swarmId, user_id: userId, agreed_at = null, ends_at = null } = watcher;
  const written = await db.write([
    ...lockIfAllowed({ operation: 'setWatcherEnd', swarmId, userId: actor, about: userId }),
    {
      sql: `UPDATE managers SET ends_at = $3 WHERE swarm_id = $1 AND user_id = $2 AND role = 'watcher'
              AND agreed_at IS NOT DISTINCT FROM $4 AND ends_at IS NOT DISTINCT FROM $5 AND ${isOpen('managers')}`,
      params: [swarmId, userId, to, agreed_at, ends_at],
      orFail: 'changed',
    },
    managerActivity({
      kind: 'swarm.watcher_end_changed',
      actor,
      at: now().toISOString(),
      swarmId,
      userId,
    }),
  ]);
  return written.ok;
}

interface RemovedManager {
  manager: Manager;
  actor: string;
}

/**
 * If the owner removes a manager, open invitations of this user's resources end: the manager may have sent them.
 * Returns false if the actor may not, or the manager has changed.
 */
async function remove({ db, now }: Deps, { manager, actor }: RemovedManager): Promise<boolean> {
  const { swarm_id: swarmId, user_id: userId, role, agreed_at = null } = manager;
  const isAsked = agreed_at === null;
  const own = isAsked ? 'declined' : 'left';
  const ending = actor === userId ? own : isAsked ? 'withdrawn' : 'removed';
  const written = await db.write([
    ...lockIfAllowed({ operation: 'removeManager', swarmId, userId: actor, about: userId }),
    managerActivity({ kind: `swarm.${role}_${ending}`, actor, at: now().toISOString(), swarmId, userId }),
    {
      sql: `DELETE FROM managers
            WHERE swarm_id = $1 AND user_id = $2 AND role = $3 AND agreed_at IS NOT DISTINCT FROM $4`,
      params: [swarmId, userId, role, agreed_at],
      orFail: 'changed',
    },
    ...(ending === 'removed' && role === 'manager' ? [withdrawInvitationsTo({ swarmId, userId })] : []),
  ]);
  return written.ok;
}

export const withdrawInvitationsTo = ({ swarmId, userId }: Record<'swarmId' | 'userId', string>): Statement => ({
  sql: `DELETE FROM invitations WHERE swarm_id = $1 AND "to" = $2 AND status = 'new'`,
  params: [swarmId, userId],
});

function managerOf({ swarm_id, user_id, role, asked_at, agreed_at, offered_at, ends_at }: ManagerRow): Manager {
  return {
    swarm_id,
    user_id,
    role,
    status: agreed_at === null ? 'asked' : 'agreed',
    asked_at,
    ...(agreed_at !== null && { agreed_at }),
    ...(ends_at !== null && { ends_at }),
    ...(offered_at !== null && { offered_at }),
  };
}
