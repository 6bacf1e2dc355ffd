import type { Presence, StreamEventType } from '../contract.ts';
import type { Database } from '../store/database.ts';
import type { FeedRow, SwarmRow } from '../store/row-types.ts';
import { readPresence } from '../store/presence-row.ts';
import { raw } from '../store/statement.ts';
import { isBlocked, seesMembers, viewers } from '../store/visibility.ts';
import { textOf } from './list-chunks.store.ts';
import type { Stores } from './stores.ts';
import { withoutRequests } from './swarms.store.ts';

/** Who gets an event: these users, and those who may see the members of these swarms. */
export interface Recipients {
  users: readonly string[];
  /** The viewers by swarm. */
  swarms: ReadonlyMap<string, readonly string[]>;
}

/** An entry of the feed with the record that it is about. */
export interface RecordEvent {
  seq: number;
  at: string;
  type: StreamEventType;
  /** The record as JSON, as the endpoints return it; only the ids if the record was deleted. */
  data: string;
  recipients: Recipients;
  /** The id of the resource in `data`. */
  resourceId?: string;
  /** The user whose list of resources changes. */
  owner?: string;
  /** Only the position changed. */
  isMove: boolean;
}

/** One event of an entry; `recipients` if it goes to others than the entry's recipients, `isFor` if not to all of them. */
interface EntryRecord {
  type: StreamEventType;
  data: string | undefined;
  isFor?: ((user: string) => boolean) | undefined;
  recipients?: Recipients;
}

/** What was read for several entries, by the id of the resource. */
interface RecordsById {
  resourceOf: (id: string) => string | undefined;
  presenceOf: (id: string) => Presence | undefined;
}

type IsWanted = (recipients: Recipients) => boolean;
export type EventBuilder = ReturnType<typeof createEventBuilder>;

/** A new swarm with more members is sent as a `reset`. */
const mostMembers = 2000;

/**
 * Makes events from entries of the feed. An entry has only ids: the record and its viewers are read now, so that nobody
 * gets what they may no longer see. An entry whose record is gone makes no event; a later entry reports the deletion.
 */
export function createEventBuilder({
  db,
  resources,
  invitations,
  links,
  managers,
  requests,
  members,
  swarms,
}: Stores & { db: Database }) {
  /** Reads who gets these entries now. */
  async function readRecipients(entries: readonly FeedRow[]): Promise<(entry: FeedRow) => Recipients> {
    const changed = entries.filter(isChangedResource).map(({ resource_id }) => resource_id!);
    const swarmsOf = await readGroups(
      'SELECT resource_id AS key, swarm_id AS value FROM memberships WHERE resource_id IN (SELECT value FROM elements($1))',
      changed,
    );
    // Nobody else sees a new resource before it joins a swarm, which is another entry.
    const swarmIdsOf = (entry: FeedRow): readonly string[] => {
      const { kind, resource_id, swarm_id, swarms_before } = entry;
      if (isChangedResource(entry)) return swarmsOf.get(resource_id!) ?? [];
      if (kind === 'resource.destroyed') return listOf(swarms_before);
      return kind === 'membership.changed' || kind === 'swarm.updated' ? [swarm_id!] : [];
    };
    const viewersOf = await readGroups(
      `SELECT viewer.swarm_id AS key, viewer.user_id AS value FROM ${viewers}
        WHERE viewer.swarm_id IN (SELECT value FROM elements($1))`,
      entries.flatMap(swarmIdsOf),
    );
    // A swarm may have another owner now than when the entry was written.
    const ownersOf = await readGroups(
      `SELECT id AS key, user_id AS value FROM swarms WHERE id IN (SELECT value FROM elements($1))`,
      entries.filter(isOfSwarm).map(({ swarm_id }) => swarm_id!),
    );
    const managersOf = await readGroups(
      `SELECT swarm_id AS key, user_id AS value FROM managers
        WHERE role = 'manager' AND agreed_at IS NOT NULL AND swarm_id IN (SELECT value FROM elements($1))`,
      entries.filter(isForManagers).map(({ swarm_id }) => swarm_id!),
    );
    return (entry) => {
      const { kind, owner, recipient, swarm_id, users_before } = entry;
      if (kind === 'swarm.destroyed') return { users: [], swarms: new Map([[swarm_id!, listOf(users_before)]]) };
      const swarms = new Map(swarmIdsOf(entry).map((id) => [id, viewersOf.get(id) ?? []]));
      if (kind === 'swarm.updated') return { users: [], swarms };
      const owners = ownersOf.get(swarm_id!) ?? [];
      if (kind === 'swarm.created') return { users: owners.filter((user) => user === owner), swarms };
      const users = isForManagers(entry) ? [...owners, ...(managersOf.get(swarm_id!) ?? [])] : [owner];
      return { users: [...users, recipient].filter((user) => user !== null), swarms };
    };
  }

  async function invitationJson(id: string): Promise<string | undefined> {
    const found = await invitations.find(id);
    return found && JSON.stringify(found);
  }

  /** The values of each key of a query, whose parameter is these ids. */
  async function readGroups(select: string, ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    if (ids.length === 0) return new Map();
    const params = [JSON.stringify([...new Set(ids)])];
    const rows = await db.read<{ key: string; value: string }>({ sql: select, params });
    const groups = Map.groupBy(rows, ({ key }) => key);
    return new Map([...groups].map(([key, group]) => [key, group.map(({ value }) => value)]));
  }

  /**
   * Users who know of a swarm because they are invited or asked to manage or watch it, without its members. Answered invitations may
   * be very many.
   */
  async function invitedTo(swarmId: string): Promise<Recipients> {
    const sql = `SELECT user_id FROM (SELECT "to" AS user_id FROM invitations WHERE swarm_id = $1 AND status = 'new'
                   UNION SELECT user_id FROM managers WHERE swarm_id = $1) known
                 WHERE NOT ${seesMembers({ user: raw('known.user_id'), swarm: raw('$1') }).sql}`;
    const rows = await db.read<{ user_id: string }>({ sql, params: [swarmId] });
    return { users: rows.map(({ user_id }) => user_id), swarms: none };
  }

  /** The users to whom a swarm does not accept requests, because it blocks them. */
  async function blockedBy(swarmId: string): Promise<ReadonlySet<string>> {
    const sql = `SELECT b.user_id FROM blocked_users b JOIN swarms s ON s.id = b.swarm_id
                 WHERE b.swarm_id = $1 AND ${isBlocked(raw('b.user_id')).sql}`;
    const rows = await db.read<{ user_id: string }>({ sql, params: [swarmId] });
    return new Set(rows.map(({ user_id }) => user_id));
  }

  /** The types and records of an entry's events; some go to others than the entry's recipients. */
  async function recordsOf(entry: FeedRow, { resourceOf, presenceOf }: RecordsById): Promise<EntryRecord[]> {
    const { kind, recipient, resource_id, swarm_id, record_id } = entry;
    switch (kind) {
      case 'resource.created':
        return [{ type: kind, data: resourceOf(resource_id!) }];
      case 'resource.updated':
      case 'resource.moved':
        return [{ type: 'resource.updated', data: resourceOf(resource_id!) }];
      case 'resource.destroyed':
        return [{ type: kind, data: JSON.stringify({ id: resource_id }) }];
      case 'presence.changed': {
        const presence = presenceOf(resource_id!);
        return [{ type: kind, data: presence && JSON.stringify({ id: resource_id, presence }) }];
      }
      case 'notice.created':
        return [{ type: kind, data: JSON.stringify({ kind: record_id }) }];
      case 'membership.changed': {
        const member = await members.find({ id: swarm_id!, resourceId: resource_id! });
        return [{ type: kind, data: JSON.stringify({ swarm_id, ...(member ?? { resource_id }) }) }];
      }
      case 'swarm.created': {
        const swarm = await swarms.find(swarm_id!);
        if (swarm && (await swarms.memberCount(swarm.id)) > mostMembers) return [{ type: 'reset', data: '{}' }];
        return [{ type: kind, data: swarm && (await textOf(swarms.whole(swarm))) }];
      }
      case 'swarm.updated': {
        const swarm = await swarms.find(swarm_id!);
        if (!swarm) return [];
        const [invited, blocked] = [await invitedTo(swarm.id), await blockedBy(swarm.id)];
        // without its members, which did not change and may be very many
        const shown = async (row: SwarmRow, isFor?: (user: string) => boolean): Promise<EntryRecord[]> => [
          { type: kind, data: swarms.head(row), isFor },
          { type: kind, data: await swarms.summary(row), isFor, recipients: invited },
        ];
        if (blocked.size === 0) return shown(swarm);
        return [
          ...(await shown(swarm, (user) => !blocked.has(user))),
          ...(await shown(withoutRequests(swarm), (user) => blocked.has(user))),
        ];
      }
      case 'swarm.destroyed':
        return [{ type: kind, data: JSON.stringify({ id: swarm_id }) }];
      case 'invitation.sent': {
        const data = await invitationJson(record_id!);
        return [
          { type: kind, data, isFor: (user) => user !== recipient },
          { type: 'invitation.received', data, recipients: { users: [recipient!], swarms: none } },
        ];
      }
      case 'invitation.updated':
        return [{ type: kind, data: await invitationJson(record_id!) }];
      case 'invitation.withdrawn':
        return [{ type: kind, data: JSON.stringify({ id: record_id, swarm_id, resource_id }) }];
      case 'join_request.changed': {
        const request = await requests.find(record_id!);
        return [{ type: kind, data: request && JSON.stringify(request) }];
      }
      case 'join_request.withdrawn':
        return [{ type: kind, data: JSON.stringify({ id: record_id, swarm_id, resource_id }) }];
      case 'link.changed': {
        const link = await links.read(record_id!);
        return [{ type: kind, data: link && JSON.stringify(link) }];
      }
      case 'manager.changed': {
        const manager = await managers.find({ swarmId: swarm_id!, userId: recipient! });
        return [{ type: kind, data: JSON.stringify(manager ?? { swarm_id, user_id: recipient }) }];
      }
      default:
        return [];
    }
  }

  return {
    /**
     * The events of these entries, in their order, that somebody wants. A record is read before its recipients, so that
     * users who left in the meantime do not get later data.
     */
    async read(entries: readonly FeedRow[], isWanted: IsWanted): Promise<RecordEvent[]> {
      const repeated = repeatedIn(entries);
      const visible = entries.filter((entry) => !internal.has(entry.kind) && !repeated.has(entry));
      const recipientsBefore = await readRecipients(visible);
      const wanted = visible.filter((entry) => entry.kind === 'swarm.updated' || isWanted(recipientsBefore(entry)));
      const found = await resources.findAll(wanted.filter(hasResource).map(({ resource_id }) => resource_id!));
      const heard = await readPresence(
        db,
        wanted.filter(isPresence).map(({ resource_id }) => resource_id!),
      );
      const byId: RecordsById = {
        resourceOf: (id) => found.get(id) && JSON.stringify(found.get(id)),
        presenceOf: (id) => heard.get(id),
      };
      const read: { entry: FeedRow; records: EntryRecord[] }[] = [];
      for (const entry of wanted) read.push({ entry, records: await recordsOf(entry, byId) });
      const recipientsAfter = await readRecipients(wanted);
      const events: RecordEvent[] = [];
      for (const { entry, records } of read) {
        for (const { type, data, isFor, recipients: all = recipientsAfter(entry) } of records) {
          const recipients = isFor ? filtered(all, isFor) : all;
          if (data === undefined || !isWanted(recipients)) continue;
          const { seq, at, kind, owner, resource_id } = entry;
          const ofResource = (kind.startsWith('resource.') || isPresence(entry)) && {
            resourceId: resource_id!,
            owner: owner!,
          };
          events.push({
            seq,
            at,
            type,
            data,
            recipients,
            isMove: kind === 'resource.moved',
            ...ofResource,
          });
        }
      }
      return events;
    },
  };
}

const none: Recipients['swarms'] = new Map();
const isPresence = ({ kind }: FeedRow) => kind === 'presence.changed';
const isUpdate = ({ kind }: FeedRow) => kind === 'resource.updated' || kind === 'resource.moved';
const isChangedResource = (entry: FeedRow) => isUpdate(entry) || isPresence(entry);
/** What happens to a swarm's invitations, requests, links and managers: for its owner and its managers. */
const isForManagers = ({ kind }: FeedRow) => /^(invitation|join_request|link|manager)\./.test(kind);
const isOfSwarm = (entry: FeedRow) => entry.kind === 'swarm.created' || isForManagers(entry);
/** Whether its event has the resource's record. */
const hasResource = (entry: FeedRow) => entry.kind === 'resource.created' || isUpdate(entry);
const internal: ReadonlySet<FeedRow['kind']> = new Set<FeedRow['kind']>([
  'viewer.changed',
  'account.ended',
  'account.enabled',
  'session.changed',
  'key.changed',
  'action.changed',
]);

/** Membership entries that the creation or deletion of their swarm or resource implies. */
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

const filtered = ({ users, swarms }: Recipients, isFor: (user: string) => boolean): Recipients => ({
  users: users.filter(isFor),
  swarms: new Map([...swarms].map(([id, viewers]) => [id, viewers.filter(isFor)])),
});
const listOf = (text: string | null) => (text === null ? [] : text.split(','));

/** Whether a user of the recipients matches. */
export function includesAny({ users, swarms }: Recipients, isMeant: (user: string) => boolean): boolean {
  if (users.some(isMeant)) return true;
  for (const viewers of swarms.values()) if (viewers.some(isMeant)) return true;
  return false;
}
