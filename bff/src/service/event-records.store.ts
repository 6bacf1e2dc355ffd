import type { StreamEventType } from '../contract.ts';
import type { Database } from '../store/database.ts';
import type { FeedRow } from '../store/tables.ts';
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

    function viewersOf(swarmId: string): string[] {
      let found = viewers.get(swarmId);
      if (!found) {
        const sql = `SELECT string_agg(user_id, ',') AS names FROM swarm_viewers WHERE swarm_id = $1`;
        found = listOf(db.get<{ names: string | null }>(sql, swarmId)!.names);
        viewers.set(swarmId, found);
      }
      return found;
    }
    const ofSwarms = (ids: string[]) => new Map(ids.map((id) => [id, viewersOf(id)]));
    const swarmsOf = (resourceId: string) =>
      db
        .all<{ swarm_id: string }>('SELECT swarm_id FROM memberships WHERE resource_id = $1', resourceId)
        .map(({ swarm_id }) => swarm_id);

    return (entry: FeedRow): Audience => {
      const { kind, owner, recipient, resource_id, swarm_id, swarms_before, users_before } = entry;
      const users = [owner, recipient].filter((user) => user !== null);
      switch (kind) {
        case 'resource.updated':
        case 'resource.moved':
          return { users, swarms: ofSwarms(swarmsOf(resource_id!)) };
        case 'resource.destroyed':
          return { users, swarms: ofSwarms(listOf(swarms_before)) };
        case 'membership.changed':
          return { users, swarms: ofSwarms([swarm_id!]) };
        case 'swarm.updated':
          return { users: [], swarms: ofSwarms([swarm_id!]) };
        case 'swarm.destroyed':
          return { users: [], swarms: new Map([[swarm_id!, listOf(users_before)]]) };
        // nobody else sees a new resource before it joins a swarm, which is another entry
        default:
          return { users, swarms: none };
      }
    };
  }

  /** Users who know of a swarm because they were invited, without its members. */
  function invitedTo(swarmId: string): Audience {
    const sql = `SELECT DISTINCT "to" AS user_id FROM invitations WHERE swarm_id = $1
                 AND "to" NOT IN (SELECT user_id FROM swarm_viewers WHERE swarm_id = $1)`;
    return { users: db.all<{ user_id: string }>(sql, swarmId).map(({ user_id }) => user_id), swarms: none };
  }

  /** The types and records of an entry's events; some go to others than the entry's audience. */
  function recordsOf(entry: FeedRow): { type: StreamEventType; data: string | undefined; audience?: Audience }[] {
    const { kind, owner, recipient, resource_id, swarm_id, record_id } = entry;
    switch (kind) {
      case 'resource.created':
        return [{ type: kind, data: resources.find(resource_id!)?.json }];
      case 'resource.updated':
      case 'resource.moved':
        return [{ type: 'resource.updated', data: resources.find(resource_id!)?.json }];
      case 'resource.destroyed':
        return [{ type: kind, data: JSON.stringify({ id: resource_id }) }];
      case 'membership.changed': {
        const ended = JSON.stringify({ swarm_id, resource_id });
        return [{ type: kind, data: members.changed(swarm_id!, resource_id!) ?? ended }];
      }
      case 'swarm.created': {
        const swarm = swarms.find(swarm_id!);
        if (swarm && swarms.memberCount(swarm.id) > mostMembers) return [{ type: 'reset', data: '{}' }];
        return [{ type: kind, data: swarm && [...swarms.whole(swarm)].join('') }];
      }
      case 'swarm.updated': {
        const swarm = swarms.find(swarm_id!);
        if (!swarm) return [];
        // without its members, which did not change and may be very many
        return [
          { type: kind, data: swarms.head(swarm) },
          { type: kind, data: swarms.summary(swarm), audience: invitedTo(swarm.id) },
        ];
      }
      case 'swarm.destroyed':
        return [{ type: kind, data: JSON.stringify({ id: swarm_id }) }];
      case 'invitation.sent': {
        const data = invitations.jsonOf(record_id!);
        return [
          { type: kind, data, audience: { users: [owner!], swarms: none } },
          { type: 'invitation.received', data, audience: { users: [recipient!], swarms: none } },
        ];
      }
      case 'invitation.updated':
        return [{ type: kind, data: invitations.jsonOf(record_id!) }];
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
    read(entries: readonly FeedRow[], isWanted: IsWanted): RecordEvent[] {
      const early = audienceReader();
      const repeated = repeatedIn(entries);
      const wanted = entries.filter((entry) => {
        if (internal.has(entry.kind) || repeated.has(entry)) return false;
        return entry.kind === 'swarm.updated' || isWanted(early(entry));
      });
      const read = wanted.map((entry) => ({ entry, records: recordsOf(entry) }));
      const now = audienceReader();
      return read.flatMap(({ entry, records }) =>
        records.flatMap(({ type, data, audience = now(entry) }): RecordEvent[] => {
          if (data === undefined || !isWanted(audience)) return [];
          const { seq, at, kind, owner, resource_id } = entry;
          const ofResource = kind.startsWith('resource.') && { resourceId: resource_id!, owner: owner! };
          return [{ seq, at, type, data, audience, isMove: kind === 'resource.moved', ...ofResource }];
        }),
      );
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
