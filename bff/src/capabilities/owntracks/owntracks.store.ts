import type { OwnTracksFriends } from './owntracks.schema.ts';
import type { FairQueue } from '../../core/limits/fair-queue.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import type { Database } from '../../core/store/database.ts';
import { raw, sql } from '../../core/store/statement.ts';
import { isOpen } from '../../core/store/visibility.ts';
import type { Messages } from '../messages/messages.ts';

/** Members that are read, and devices in a response: the app gets one for each of its reports. */
export const membersAtMost = 1000;
export const friendsAtMost = 50;

interface Friend {
  id: string;
  name: string;
  owner: string;
  longitude: number;
  latitude: number;
  located_at: string;
  accuracy: number | null;
}

export type OwnTracks = ReturnType<typeof createOwnTracks>;

export function createOwnTracks(options: { db: Database; queue: FairQueue; messages: Pick<Messages, 'receivedBy'> }) {
  const { messages } = options;
  const readsOf = createLongReads(options);
  return {
    /** The devices whose messages this one may receive, in the form that the app shows on its map. */
    async friendsOf({ userId, id }: { userId: string; id: string }): Promise<OwnTracksFriends> {
      const swarms = [...((await messages.receivedBy({ userId, id })) ?? new Map<string, null>()).keys()];
      if (swarms.length === 0) return [];
      const found = await readsOf({ user: userId }).read<Friend>(
        sql`SELECT r.id, r.name, r.user_id AS owner, r.longitude, r.latitude, r.accuracy,
            coalesce(r.located_at, r.changed_at) AS located_at
          FROM (SELECT DISTINCT resource_id FROM (SELECT resource_id FROM memberships m
              WHERE swarm_id IN (SELECT value FROM elements(${JSON.stringify(swarms)})) AND resource_type <> 'consumer' AND ${raw(isOpen('m'))}
              LIMIT ${membersAtMost}) part) m
            JOIN resources r ON r.id = m.resource_id
            JOIN "user" u ON u.username = r.user_id AND u.disabled_at IS NULL
          WHERE r.id <> ${id} AND r.longitude IS NOT NULL ORDER BY r.changed_at DESC, r.id LIMIT ${friendsAtMost}`,
      );
      return found.flatMap(({ id: friend, name, owner, longitude: lon, latitude: lat, located_at, accuracy }) => {
        // The app for Android does not read the topic of a response, so `tid` must differ between devices.
        const known = { topic: `owntracks/${owner}/${friend}`, tid: friend.slice(-8) };
        const tst = Math.floor(Date.parse(located_at) / 1000);
        return [
          { _type: 'location' as const, ...known, lat, lon, tst, ...(accuracy !== null && { acc: accuracy }) },
          { _type: 'card' as const, ...known, name },
        ];
      });
    },
  };
}
