/** The records of an event, as they are now. */
import type { Presence, StreamEventType } from '../../contract.ts';
import type { EventSchema } from '../contract/events.schema.ts';
import type { Database } from '../store/database.ts';
import type { FeedRow, SwarmRow } from '../store/row-types.ts';
import { textOf } from '../endpoint/list-chunks.ts';
import type { Stores } from '../stores.ts';
import { withoutRequests } from '../swarms/swarm-reads.store.ts';
import { blockedBy, invitedTo, none, type Listening, type Recipients } from './recipients.store.ts';
import { eventLimits } from '../limits/part-limits.ts';

/** One event of an entry; `recipients` if it goes to others than the entry's recipients, `isFor` if not to all of them. */
export interface EntryRecord {
  type: StreamEventType;
  data: string | undefined;
  isFor?: ((user: string) => boolean) | undefined;
  recipients?: Recipients;
}

/** What was read for several entries: of a resource that still has the owner of the entry. */
interface RecordsById {
  resourceOf: (entry: FeedRow) => string | undefined;
  presenceOf: (entry: FeedRow) => Presence | undefined;
}

/** A kind of event that a capability adds: the kinds of entries of which it is made, and its `data`. Undefined if the record is gone. */
export interface EventOfCapability {
  schema: EventSchema;
  read: (entry: FeedRow) => object | undefined | Promise<object | undefined>;
}

/** What the records are read from. */
type Source = Stores & { db: Pick<Database, 'read'>; ofCapabilities: readonly EventOfCapability[] };

/** The types and records of an entry's events; some go to others than the entry's recipients. */
export async function recordsOf(
  source: Source,
  entry: FeedRow,
  { resourceOf, presenceOf, listeners }: RecordsById & { listeners: Listening },
): Promise<EntryRecord[]> {
  const { members, swarms } = source;
  const { kind, recipient, resource_id, swarm_id, record_id } = entry;
  switch (kind) {
    case 'resource.created':
      return [{ type: kind, data: resourceOf(entry) }];
    case 'resource.updated':
    case 'resource.moved':
      return [{ type: 'resource.updated', data: resourceOf(entry) }];
    case 'resource.destroyed':
      return [{ type: kind, data: JSON.stringify({ id: resource_id }) }];
    case 'presence.changed': {
      const presence = presenceOf(entry);
      return [{ type: kind, data: presence && JSON.stringify({ id: resource_id, presence }) }];
    }
    case 'refusals.changed':
      return [{ type: kind, data: JSON.stringify({ id: resource_id }) }];
    case 'notice.created':
      return [{ type: kind, data: JSON.stringify({ kind: record_id }) }];
    case 'membership.changed': {
      const found = await members.find({ id: swarm_id!, resourceId: resource_id! });
      // Another owner's is another member.
      const member = found?.user_id === entry.owner ? found : undefined;
      return [{ type: kind, data: JSON.stringify({ swarm_id, ...(member ?? { resource_id }) }) }];
    }
    case 'swarm.created': {
      const swarm = await swarms.find(swarm_id!);
      if (swarm && (await swarms.memberCount(swarm.id)) > eventLimits.members) return [{ type: 'reset', data: '{}' }];
      return [{ type: kind, data: swarm && (await textOf(swarms.whole(swarm))) }];
    }
    case 'swarm.updated':
      return swarmRecords(source, swarm_id!, listeners);
    case 'swarm.destroyed':
      return [{ type: kind, data: JSON.stringify({ id: swarm_id }) }];
    case 'invitation.sent': {
      const data = await invitationJson(source, record_id!);
      return [
        { type: kind, data, isFor: (user) => user !== recipient },
        {
          type: 'invitation.received',
          data,
          recipients: { users: [recipient!].filter(listeners.has), swarms: none },
        },
      ];
    }
    case 'invitation.updated':
      return [{ type: kind, data: await invitationJson(source, record_id!) }];
    case 'invitation.withdrawn':
      return [{ type: kind, data: JSON.stringify({ id: record_id, swarm_id, resource_id }) }];
    default:
      return recordOfCapability(source, entry);
  }
}

async function recordOfCapability({ ofCapabilities }: Source, entry: FeedRow): Promise<EntryRecord[]> {
  const found = ofCapabilities.find(({ schema }) => schema.shape.type.options.includes(entry.kind));
  if (!found) return [];
  const record = await found.read(entry);
  return [{ type: entry.kind as StreamEventType, data: record && JSON.stringify(record) }];
}

/** A swarm without its members, which did not change and may be very many; those whom it blocks see no requests. */
async function swarmRecords({ db, swarms }: Source, id: string, listeners: Listening): Promise<EntryRecord[]> {
  const swarm = await swarms.find(id);
  if (!swarm) return [];
  const invited = await invitedTo(db, { swarmId: id, listeners });
  const blocked = await blockedBy(db, id);
  const shown = async (row: SwarmRow, isFor?: (user: string) => boolean): Promise<EntryRecord[]> => [
    { type: 'swarm.updated', data: swarms.head(row), isFor },
    { type: 'swarm.updated', data: await swarms.summary(row), isFor, recipients: invited },
  ];
  if (blocked.size === 0) return shown(swarm);
  return [
    ...(await shown(swarm, (user) => !blocked.has(user))),
    ...(await shown(withoutRequests(swarm), (user) => blocked.has(user))),
  ];
}

async function invitationJson({ invitations }: Source, id: string): Promise<string | undefined> {
  const found = await invitations.find(id);
  return found && JSON.stringify(found);
}
