/** Devices that their owners offer to other users, who take them over in one write. */
import type { Handover, ResourceOffer } from '../../contract.ts';
import { handoverLimits } from './limits.ts';
import { quotaExceeded, type Quotas } from '../../core/limits/quotas.ts';
import type { Database } from '../../core/store/database.ts';
import { recordColumns, resourceOf, type RecordRow } from '../../core/store/resource-fields.ts';
import type { ResourceOfferRow } from '../../core/store/row-types.ts';
import { raw, sql, type Statement } from '../../core/store/statement.ts';
import { incrementVersionsOf } from '../../core/store/swarm-version.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { handoverActivity, leftForHandover } from '../../core/activity/activity.store.ts';
import { withinQuota } from '../../core/endpoint/write-checks.store.ts';
import { lockSwarmsOf, rejectInvitations } from '../../core/resources/resources.store.ts';
import { deleteTrack, withinTracks } from '../tracks/tracks.store.ts';
import { deleteValues, giveValues } from '../values/value-rows.store.ts';

const columns = raw('o.resource_id, o.user_id, o.to_user, o.with_history, o.offered_at');

interface Deps {
  db: Database;
  quotas: Quotas;
  now: () => Date;
}

export type Handovers = ReturnType<typeof createHandovers>;

export function createHandovers({ db, quotas, now }: Deps) {
  async function find(resourceId: string): Promise<ResourceOfferRow | undefined> {
    const [found] = await db.read<ResourceOfferRow>(
      sql`SELECT ${columns} FROM resource_offers o WHERE o.resource_id = ${resourceId}`,
    );
    return found;
  }

  return {
    find,

    /** The devices that the user is offered, newest first. */
    async offersTo(userId: string): Promise<ResourceOffer[]> {
      const rows = await db.read<RecordRow & ResourceOfferRow>(
        sql`SELECT ${raw(recordColumns('r'))}, o.with_history, o.offered_at FROM resource_offers o
          JOIN resources r ON r.id = o.resource_id WHERE o.to_user = ${userId}
          ORDER BY o.offered_at DESC, o.resource_id LIMIT ${raw(String(handoverLimits.shown))}`,
      );
      return rows.map((row) => {
        const { id, user_id, name, machine_type, description, keep_track, keep_values } = resourceOf(row);
        return {
          role: 'owner',
          offered_at: row.offered_at,
          with_history: row.with_history === 1,
          resource: {
            id,
            user_id,
            name,
            machine_type,
            ...(description !== undefined && { description }),
            ...(keep_track !== undefined && { keep_track }),
            ...(keep_values !== undefined && { keep_values }),
          },
        };
      });
    },

    /** Offers the device to this user, and to nobody else any more. */
    async offer(offered: {
      resourceId: string;
      owner: string;
      userId: string;
      withHistory: boolean;
    }): Promise<'no user' | 'no resource' | 'too many' | 'too many unanswered' | undefined> {
      const { resourceId, owner, userId, withHistory } = offered;
      const at = now().toISOString();
      const count = sql`SELECT count(*) FROM resource_offers WHERE user_id = ${owner}`;
      const written = await db.write([
        // Protects the counts.
        lockUser(owner),
        {
          ...sql`SELECT 1 FROM resources WHERE id = ${resourceId} AND user_id = ${owner} FOR UPDATE`,
          orFail: 'no resource',
        },
        sql`DELETE FROM resource_offers WHERE resource_id = ${resourceId}`,
        sql`INSERT INTO resource_offers (resource_id, user_id, to_user, with_history, offered_at)
          VALUES (${resourceId}, ${owner}, ${userId}, ${withHistory ? 1 : 0}, ${at})`,
        { ...sql`SELECT 1 WHERE (${count}) <= ${handoverLimits.ofUser}`, orFail: 'too many' },
        {
          ...sql`SELECT 1 WHERE (${count} AND to_user = ${userId}) <= ${handoverLimits.toUser}`,
          orFail: 'too many unanswered',
        },
        handoverActivity({ kind: 'resource.offered', actor: owner, at, resourceId, userId }),
      ]);
      return written.ok ? undefined : written.failed;
    },

    /** Returns false if it is not offered so any more. */
    async end({ offer, actor }: { offer: ResourceOfferRow; actor: string }): Promise<boolean> {
      const { resource_id: resourceId, to_user: userId } = offer;
      const kind = actor === userId ? 'resource.offer_declined' : 'resource.offer_withdrawn';
      const written = await db.write([
        ended(offer),
        handoverActivity({ kind, actor, at: now().toISOString(), resourceId, userId }),
      ]);
      return written.ok;
    },

    takeOver: (offer: ResourceOfferRow) => takeOver({ db, quotas, now }, offer),
  };
}

/** The offer as it was read. */
const ended = ({ resource_id, to_user, offered_at }: ResourceOfferRow): Statement<'not offered'> => ({
  ...sql`DELETE FROM resource_offers WHERE resource_id = ${resource_id} AND to_user = ${to_user} AND offered_at = ${offered_at}`,
  orFail: 'not offered',
});

/**
 * Gives the device to the user to whom it is offered. It leaves the swarms of others, stays in those of
 * this user without an end, and its keys and links end. Its messages are deleted afterwards (messages/delete.store.ts): until
 * then, its new owner does not see them. Returns false if it is not offered so any more.
 */
async function takeOver({ db, quotas, now }: Deps, offer: ResourceOfferRow): Promise<boolean> {
  const { resource_id: resourceId, user_id: owner, to_user: userId, with_history: withHistory } = offer;
  const at = now().toISOString();
  const written = await db.write([
    // In one order, because two users may hand devices to each other.
    ...[owner, userId].toSorted().map(lockUser),
    lockSwarmsOf([resourceId]),
    {
      ...sql`SELECT 1 FROM resources WHERE id = ${resourceId} AND user_id = ${owner} FOR UPDATE`,
      orFail: 'other owner',
    },
    ended(offer),
    leftForHandover({ at, owner, resourceId, userId }),
    incrementVersionsOf([resourceId]),
    rejectInvitations({ ids: [resourceId], userId: owner, at }),
    sql`DELETE FROM api_keys WHERE resource_id = ${resourceId}`,
    sql`DELETE FROM share_links WHERE resource_id = ${resourceId}`,
    sql`DELETE FROM presence WHERE ref = (SELECT ref FROM resources WHERE id = ${resourceId})`,
    ...(withHistory ? giveValues({ id: resourceId, userId }) : [deleteTrack(resourceId), ...deleteValues(resourceId)]),
    // The memberships that stay follow by a trigger, and so do the counts (store/schema/triggers/resources.ts).
    sql`UPDATE resources SET user_id = ${userId}, owner_since = ${at}, version = version + 1,
        modified_at = greatest(changed_at, ${at}), changed_at = greatest(changed_at, ${at}) WHERE id = ${resourceId}`,
    // The former owner agreed to their ends. A membership whose time is over does not begin again.
    sql`UPDATE memberships SET ends_at = NULL, ends_at_most = NULL
        WHERE resource_id = ${resourceId} AND ends_at > time_now()`,
    ...(withHistory
      ? []
      : [
          sql`UPDATE resources SET track_since = CASE WHEN keep_track = 1 THEN ${at} END,
              values_since = CASE WHEN keep_values IS NOT NULL THEN ${at} END WHERE id = ${resourceId}`,
        ]),
    withinQuota({ userId, kind: 'resources', allowed: quotas.resources }),
    withinTracks({ userId, allowed: quotas.tracks }),
    handoverActivity({ kind: 'resource.handed_over', actor: userId, at, resourceId, userId: owner }),
  ]);
  if (!written.ok && written.failed === 'too many resources') throw quotaExceeded('resources', quotas);
  if (!written.ok && written.failed === 'too many tracks') throw quotaExceeded('tracks', quotas);
  return written.ok;
}

/** An offer as the owner of the device sees it. */
export const handoverOf = ({ resource_id, to_user, with_history, offered_at }: ResourceOfferRow): Handover => ({
  resource_id,
  user_id: to_user,
  with_history: with_history === 1,
  offered_at,
});
