/** Senders: the owner of a device and the swarms to which it sends, as far as this process knows, and why a device may not send. */
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { BoundedMap } from '../../core/limits/bounded-map.ts';
import { messagesMemory } from './limits.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { isOpen } from '../../core/store/visibility.ts';
import type { NewMessage } from './waiting-messages.ts';

interface Sender {
  userId: string;
  swarms: readonly string[];
}

/**
 * SQL: `m.swarm_id` is the swarm of a message, or any if the message names none. It is one range of the index by resource either way, because ids are
 * hexadecimal. SQLite would use only the lower end of a BETWEEN.
 */
export const isMeant = (swarm: string) =>
  `m.swarm_id >= coalesce(${swarm}, '') AND m.swarm_id <= coalesce(${swarm}, 'z')`;

export const notProducer = (detail: string) => new Problem('message.not_producer', { detail });

export type Senders = ReturnType<typeof createSenders>;

export function createSenders({ db, feed }: { db: Pick<Database, 'read'>; feed: Pick<ChangeFeed, 'subscribe'> }) {
  /** By device. A sender that changes while it is read is not stored. */
  const known = new BoundedMap<string, Promise<Sender>>(messagesMemory.senders.most);
  const unsubscribe = feed.subscribe((entries) => {
    if (!entries) known.clear();
    for (const { kind, resource_id } of entries ?? [])
      if (kind === 'membership.changed' || kind === 'resource.destroyed') known.delete(resource_id!);
  });

  /** @throws `resource.not_found` */
  function find(id: string): Promise<Sender> {
    const before = known.get(id);
    if (before) return before;
    const reading = readSender(db, id);
    known.set(id, reading);
    reading.catch(() => known.get(id) === reading && known.delete(id));
    return reading;
  }

  return {
    find,
    /** The swarms to which a message probably goes. Only the write knows it. */
    async swarmsOf({ sender_id, swarm_id }: NewMessage): Promise<readonly string[]> {
      const { swarms } = await find(sender_id);
      if (swarm_id === null) return swarms;
      return swarms.includes(swarm_id) ? [swarm_id] : [];
    },
    /** The next message of this device reads its sender again. */
    forget: (id: string) => void known.delete(id),
    close: unsubscribe,
  };
}

async function readSender(db: Pick<Database, 'read'>, id: string): Promise<Sender> {
  const rows = await db.read<{ user_id: string; swarm_id: string | null }>({
    sql: `SELECT r.user_id, m.swarm_id FROM resources r
          LEFT JOIN memberships m ON m.resource_id = r.id AND m.resource_type <> 'consumer' AND ${isOpen('m')} WHERE r.id = $1`,
    params: [id],
  });
  const [first] = rows;
  if (!first) throw new Problem('resource.not_found');
  return { userId: first.user_id, swarms: rows.flatMap(({ swarm_id }) => swarm_id ?? []) };
}

/** @throws `message.not_producer`, with the reason, or `resource.not_found`, if the sender may not send to the swarm, or to any */
export async function requireProducer(db: Pick<Database, 'read'>, { sender_id, swarm_id }: NewMessage): Promise<void> {
  const [sender] = await db.read<{ role: string | null }>({
    sql: `SELECT (SELECT m.resource_type FROM memberships m WHERE m.resource_id = r.id AND ${isMeant('$2')} AND ${isOpen('m')}
            ORDER BY CASE m.resource_type WHEN 'consumer' THEN 1 ELSE 0 END LIMIT 1) AS role
          FROM resources r WHERE r.id = $1`,
    params: [sender_id, swarm_id],
  });
  if (!sender) throw new Problem('resource.not_found');
  if (sender.role === 'consumer') throw notProducer('The resource is only a consumer');
  if (sender.role === null)
    throw notProducer(swarm_id === null ? 'The resource is in no swarm' : 'The resource is not a member of this swarm');
}
