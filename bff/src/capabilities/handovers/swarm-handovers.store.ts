/** Swarms that their owners offer to managers, who take them over in one write. */
import type { SwarmOffer } from '../managers/managers.schema.ts';
import { withdrawInvitationsTo } from '../managers/managers.store.ts';
import { quotaExceeded, type Quotas } from '../../core/limits/quotas.ts';
import type { Database } from '../../core/store/database.ts';
import { managerActivity } from '../../core/activity/activity.store.ts';
import { isOfManager, isOpen } from '../../core/store/visibility.ts';
import { userExists } from '../../core/store/user-locks.ts';
import { lockIfAllowed, withinQuota } from '../../core/endpoint/write-checks.store.ts';
import { handoverLimits } from './limits.ts';

interface Deps {
  db: Database;
  quotas: Quotas;
  now: () => Date;
}

export type SwarmHandovers = ReturnType<typeof createSwarmHandovers>;

export function createSwarmHandovers(deps: Deps) {
  const { db } = deps;
  return {
    /** The swarms that this user is offered, and then those that the user was asked to manage or watch, newest first. */
    offersTo: (userId: string) =>
      db.read<{ swarm_id: string; role: SwarmOffer['role']; offered_at: string; ends_at: string | null }>({
        sql: `SELECT swarm_id, CASE WHEN agreed_at IS NULL THEN role ELSE 'owner' END AS role,
                coalesce(offered_at, asked_at) AS offered_at, ends_at
              FROM managers WHERE user_id = $1 AND (agreed_at IS NULL OR offered_at IS NOT NULL) AND ${isOpen('managers')}
              ORDER BY CASE WHEN offered_at IS NULL THEN 1 ELSE 0 END, coalesce(offered_at, asked_at) DESC, swarm_id
              LIMIT ${handoverLimits.swarmsShown}`,
        params: [userId],
      }),

    async hasAccount(userId: string): Promise<boolean> {
      return (await db.read({ sql: 'SELECT 1 FROM "user" WHERE username = $1', params: [userId] })).length > 0;
    },

    offer: (offered: Record<'swarmId' | 'owner' | 'userId', string>) => offer(deps, offered),
    end: (ended: Record<'swarmId' | 'userId' | 'actor', string>) => endOffer(deps, ended),
    takeOver: (taken: Record<'swarmId' | 'owner' | 'userId', string>) => takeOver(deps, taken),
  };
}

/** Offers the swarm to a manager, and to nobody else any more. Returns false if the user `owner` does not own it any more, or it has no such manager. */
async function offer(
  { db, now }: Deps,
  { swarmId, owner, userId }: Record<'swarmId' | 'owner' | 'userId', string>,
): Promise<boolean> {
  const at = now().toISOString();
  const written = await db.write([
    ...lockIfAllowed({ operation: 'offerSwarm', swarmId, userId: owner }),
    {
      sql: 'UPDATE managers SET offered_at = NULL WHERE swarm_id = $1 AND offered_at IS NOT NULL',
      params: [swarmId],
    },
    {
      sql: `UPDATE managers SET offered_at = greatest($3, agreed_at)
            WHERE swarm_id = $1 AND user_id = $2 AND ${isOfManager('managers')}`,
      params: [swarmId, userId, at],
      orFail: 'no manager',
    },
    managerActivity({ kind: 'swarm.offered', actor: owner, at, swarmId, userId }),
  ]);
  return written.ok;
}

/** Returns false if the actor may not, or the swarm is not offered to this user. */
async function endOffer({ db, now }: Deps, ended: Record<'swarmId' | 'userId' | 'actor', string>): Promise<boolean> {
  const { swarmId, userId, actor } = ended;
  const kind = actor === userId ? 'swarm.offer_declined' : 'swarm.offer_withdrawn';
  const written = await db.write([
    ...lockIfAllowed({ operation: 'endSwarmOffer', swarmId, userId: actor, about: userId }),
    {
      sql: `UPDATE managers SET offered_at = NULL WHERE swarm_id = $1 AND user_id = $2 AND offered_at IS NOT NULL`,
      params: [swarmId, userId],
      orFail: 'not offered',
    },
    managerActivity({ kind, actor, at: now().toISOString(), swarmId, userId }),
  ]);
  return written.ok;
}

/**
 * Gives the swarm with its open invitations to the manager to whom it is offered. The former owner becomes a manager.
 * Returns false if the swarm has another owner, or is not offered to this user.
 */
async function takeOver(
  { db, quotas, now }: Deps,
  { swarmId, owner, userId }: Record<'swarmId' | 'owner' | 'userId', string>,
): Promise<boolean> {
  const at = now().toISOString();
  // The former owner goes on seeing the members, so this is no new date for their owners.
  const [seen] = await db.read<{ since: string }>({
    sql: 'SELECT coalesce(owner_since, created_at) AS since FROM swarms WHERE id = $1 AND user_id = $2',
    params: [swarmId, owner],
  });
  if (!seen) return false;
  const written = await db.write([
    // An account that ends deletes its swarms.
    userExists(userId),
    userExists(owner),
    {
      sql: `UPDATE swarms SET user_id = $3, version = version + 1, silence_notices = 1,
              owner_since = (SELECT agreed_at FROM managers WHERE swarm_id = $1 AND user_id = $3)
            WHERE id = $1 AND user_id = $2`,
      params: [swarmId, owner, userId],
      orFail: 'other owner',
    },
    {
      sql: 'DELETE FROM managers WHERE swarm_id = $1 AND user_id = $2 AND offered_at IS NOT NULL',
      params: [swarmId, userId],
      orFail: 'not offered',
    },
    {
      sql: 'INSERT INTO managers (swarm_id, user_id, asked_at, agreed_at) VALUES ($1, $2, $3, $4)',
      params: [swarmId, owner, at, seen.since],
    },
    // Users do not invite their own devices, and do not ask to join their own swarms.
    withdrawInvitationsTo({ swarmId, userId }),
    {
      sql: `UPDATE join_requests SET status = 'withdrawn', ended_at = greatest($3, asked_at)
            WHERE swarm_id = $1 AND user_id = $2 AND status = 'new'`,
      params: [swarmId, userId, at],
    },
    // Once the former owner is no manager any more, the lists show only this name of the swarm.
    {
      sql: `UPDATE invitations SET last_known_name = (SELECT name FROM swarms WHERE id = $1)
            WHERE swarm_id = $1 AND "from" = $2 AND status = 'accepted' AND last_known_name IS NULL`,
      params: [swarmId, owner],
    },
    {
      sql: `UPDATE invitations SET "from" = $2 WHERE swarm_id = $1 AND status = 'new'`,
      params: [swarmId, userId],
    },
    withinQuota({ userId, kind: 'swarms', allowed: quotas.swarms }),
    withinQuota({ userId, kind: 'invitations', allowed: quotas.invitations }),
    managerActivity({ kind: 'swarm.handed_over', actor: userId, at, swarmId, userId: owner }),
  ]);
  if (!written.ok && written.failed === 'too many swarms') throw quotaExceeded('swarms', quotas);
  if (!written.ok && written.failed === 'too many invitations') throw quotaExceeded('invitations', quotas);
  return written.ok;
}
