import type { StreamEventType } from '../contract.ts';
import type { Database } from '../store/database.ts';
import type { FeedRow, MembershipRow, SwarmViewerRow } from '../store/tables.ts';
import { textOf } from './json-body-stream.ts';
import type { Invitations } from './invitations.store.ts';
import type { Members } from './members.store.ts';
import type { Resources } from './resources.store.ts';
import type { Swarms } from './swarms.store.ts';

/** Who gets an event: these users, and those who may see the members of these swarms. */
export interface Audience {
  users: readonly string[];
  /** The viewers by swarm. */
  swarms: ReadonlyMap<string, readonly string[]>;
}

/** An entry of the feed with the record that it is about. */
export interface RecordEvent {
  seq: number;
  at: string;
  type: StreamEventType;
  /** The record as JSON, as the endpoints return it; only ids if something ended. */
  data: string;
  audience: Audience;
  /** Id of the resource whose state it has. */
  resourceId?: string;
  /** Whose list of resources it changes. */
  owner?: string;
  /** Only the position changed. */
  isMove: boolean;
}

/** One event of an entry; `audience` if it goes to others than the entry's audience. */
interface EntryRecord {
  type: StreamEventType;
  data: string | undefined;
  audience?: Audience;
}

type IsWanted = (audience: Audience) => boolean;
export type EventRecords = ReturnType<typeof createEventRecords>;

/** Longer than any swarm can be when it is created. */
const mostMembers = 2000;

/**
 * Makes events from entries of the feed. An entry has only ids: the record and its viewers are read now, so that nobody
 * gets what they may no longer see. An entry whose record is gone makes no event; a later entry is about its end.
 */
export function createEventRecords({
  db,
  resources,
  invitations,
  members,
  swarms,
}: {
  db: Database;
  resources: Pick<Resources, 'find'>;
  invitations: Pick<Invitations, 'jsonOf'>;
  members: Pick<Members, 'changed'>;
  swarms: Pick<Swarms, 'find' | 'head' | 'summary' | 'whole' | 'memberCount'>;
}) {
  /** Reads each swarm's viewers once. */
  function audienceReader() {
    const viewers = new Map<string, string[]>();

    async function viewersOf(swarmId: string): Promise<string[]> {
      const known = viewers.get(swarmId);
      if (known) return known;
      const select = 'SELECT user_id FROM swarm_viewers WHERE swarm_id = $1';
      const rows = await db.read<Pick<SwarmViewerRow, 'user_id'>>({ sql: select, params: [swarmId] });
      const found = rows.map(({ user_id }) => user_id);
      viewers.set(swarmId, found);
      return found;
    }
    async function ofSwarms(ids: readonly string[]) {
      const found = new Map<string, string[]>();
      for (const id of ids) found.set(id, await viewersOf(id));
      return found;
    }
    async function swarmsOf(resourceId: string) {
      const select = 'SELECT swarm_id FROM memberships WHERE resource_id = $1';
      const rows = await db.read<Pick<MembershipRow, 'swarm_id'>>({ sql: select, params: [resourceId] });
      return rows.map(({ swarm_id }) => swarm_id);
    }

    return async (entry: FeedRow): Promise<Audience> => {
      const { kind, owner, recipient, resource_id, swarm_id, swarms_before, users_before } = entry;
      const users = [owner, recipient].filter((user) => user !== null);
      switch (kind) {
        case 'resource.updated':
        case 'resource.moved':
          return { users, swarms: await ofSwarms(await swarmsOf(resource_id!)) };
        case 'resource.destroyed':
          return { users, swarms: await ofSwarms(listOf(swarms_before)) };
        case 'membership.changed':
          return { users, swarms: await ofSwarms([swarm_id!]) };
        case 'swarm.updated':
          return { users: [], swarms: await ofSwarms([swarm_id!]) };
        case 'swarm.destroyed':
          return { users: [], swarms: new Map([[swarm_id!, listOf(users_before)]]) };
        // nobody else sees a new resource before it joins a swarm, which is another entry
        default:
          return { users, swarms: none };
      }
    };
  }

  /** Users who know of a swarm because they were invited, without its members. */
  async function invitedTo(swarmId: string): Promise<Audience> {
    const sql = `SELECT DISTINCT "to" AS user_id FROM invitations WHERE swarm_id = $1
                 AND "to" NOT IN (SELECT user_id FROM swarm_viewers WHERE swarm_id = $1)`;
    const rows = await db.read<{ user_id: string }>({ sql, params: [swarmId] });
    return { users: rows.map(({ user_id }) => user_id), swarms: none };
  }

  async function resourceJson(id: string): Promise<string | undefined> {
    const found = await resources.find(id);
    return found && JSON.stringify(found.record);
  }

  /** The types and records of an entry's events; some go to others than the entry's audience. */
  async function recordsOf(entry: FeedRow): Promise<EntryRecord[]> {
    const { kind, owner, recipient, resource_id, swarm_id, record_id } = entry;
    switch (kind) {
      case 'resource.created':
        return [{ type: kind, data: await resourceJson(resource_id!) }];
      case 'resource.updated':
      case 'resource.moved':
        return [{ type: 'resource.updated', data: await resourceJson(resource_id!) }];
      case 'resource.destroyed':
        return [{ type: kind, data: JSON.stringify({ id: resource_id }) }];
      case 'membership.changed': {
        const ended = JSON.stringify({ swarm_id, resource_id });
        return [{ type: kind, data: (await members.changed(swarm_id!, resource_id!)) ?? ended }];
      }
      case 'swarm.created': {
        const swarm = await swarms.find(swarm_id!);
        if (swarm && (await swarms.memberCount(swarm.id)) > mostMembers) return [{ type: 'reset', data: '{}' }];
        return [{ type: kind, data: swarm && (await textOf(swarms.whole(swarm))) }];
      }
      case 'swarm.updated': {
        const swarm = await swarms.find(swarm_id!);
        if (!swarm) return [];
        // without its members, which did not change and may be very many
        return [
          { type: kind, data: swarms.head(swarm) },
          { type: kind, data: await swarms.summary(swarm), audience: await invitedTo(swarm.id) },
        ];
      }
      case 'swarm.destroyed':
        return [{ type: kind, data: JSON.stringify({ id: swarm_id }) }];
      case 'invitation.sent': {
        const data = await invitations.jsonOf(record_id!);
        return [
          { type: kind, data, audience: { users: [owner!], swarms: none } },
          { type: 'invitation.received', data, audience: { users: [recipient!], swarms: none } },
        ];
      }
      case 'invitation.updated':
        return [{ type: kind, data: await invitations.jsonOf(record_id!) }];
      case 'invitation.withdrawn':
        return [{ type: kind, data: JSON.stringify({ id: record_id, swarm_id, resource_id }) }];
      default:
        return [];
    }
  }

  return {
    /**
     * The events of these entries, in their order, that somebody wants. A record is read before its audience: who has
     * left in between does not get what changed after that.
     */
    async read(entries: readonly FeedRow[], isWanted: IsWanted): Promise<RecordEvent[]> {
      const early = audienceReader();
      const repeated = repeatedIn(entries);
      const read: { entry: FeedRow; records: EntryRecord[] }[] = [];
      for (const entry of entries) {
        if (internal.has(entry.kind) || repeated.has(entry)) continue;
        if (entry.kind !== 'swarm.updated' && !isWanted(await early(entry))) continue;
        read.push({ entry, records: await recordsOf(entry) });
      }
      const now = audienceReader();
      const events: RecordEvent[] = [];
      for (const { entry, records } of read) {
        for (const { type, data, audience = await now(entry) } of records) {
          if (data === undefined || !isWanted(audience)) continue;
          const { seq, at, kind, owner, resource_id } = entry;
          const ofResource = kind.startsWith('resource.') && { resourceId: resource_id!, owner: owner! };
          events.push({ seq, at, type, data, audience, isMove: kind === 'resource.moved', ...ofResource });
        }
      }
      return events;
    },
  };
}

const none: Audience['swarms'] = new Map();
const internal: ReadonlySet<FeedRow['kind']> = new Set<FeedRow['kind']>([
  'viewer.changed',
  'account.ended',
  'session.changed',
  'key.changed',
]);

/** Memberships that begin with their swarm, or end with it or with their resource: the event about that says it. */
function repeatedIn(entries: readonly FeedRow[]): ReadonlySet<FeedRow> {
  const ended = new Set<string | null>();
  const repeated = new Set<FeedRow>();
  /** The swarm whose first members follow. */
  let created: string | null = null;
  for (const entry of entries) {
    const { kind, swarm_id, resource_id } = entry;
    if (kind === 'swarm.destroyed') ended.add(swarm_id);
    if (kind === 'resource.destroyed') ended.add(resource_id);
    if (kind === 'swarm.created') created = swarm_id;
    else if (swarm_id !== created || !(kind === 'membership.changed' || kind === 'viewer.changed')) created = null;
    const isMember = kind === 'membership.changed';
    if (isMember && (swarm_id === created || ended.has(swarm_id) || ended.has(resource_id))) repeated.add(entry);
  }
  return repeated;
}

const listOf = (text: string | null) => (text === null ? [] : text.split(','));

/** Whether somebody of the audience is meant. */
export function includesAny({ users, swarms }: Audience, isMeant: (user: string) => boolean): boolean {
  if (users.some(isMeant)) return true;
  for (const viewers of swarms.values()) if (viewers.some(isMeant)) return true;
  return false;
}
