import type { Presence, StreamEventType } from '../../contract.ts';
import type { Database } from '../../store/database.ts';
import { Counts } from '../../limits/bounded-map.ts';
import { eventLimits } from '../../limits/field-rules.ts';
import type { FeedRow, SwarmRow } from '../../store/row-types.ts';
import { readPresence } from '../../store/presence-row.ts';
import { raw } from '../../store/statement.ts';
import { isBlocked, seesDevice, seesMembers, viewers } from '../../store/visibility.ts';
import { textOf } from '../endpoint/list-chunks.store.ts';
import type { Stores } from '../stores.ts';
import { withoutRequests } from '../swarms/swarms.store.ts';

/** Who gets an event, of the users who listen: these users, and those who may see the members of these swarms. */
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

/** The users with open streams. */
export interface Listeners {
  readonly size: number;
  has(user: string): boolean;
  keys(): Iterable<string>;
}

export interface BuiltEvents {
  events: RecordEvent[];
  /** Changes for which so many rows would be read that they wait. */
  left: FeedRow[];
  /** The rows that were read to find out who is told, by the owner of what has changed. */
  rows: ReadonlyMap<string, number>;
}

export type EventBuilder = ReturnType<typeof createEventBuilder>;

/** A new swarm with more members is sent as a `reset`. */
const mostMembers = 2000;
/** With more listeners, they are compared here: to hand them to the database would cost more than the rows. */
const mostCompared = 1000;
/** Changes whose rows are counted at once, when they are too many. */
const countedAtOnce = 100;

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
  /** The swarms of the resources that have changed, by the id of the resource. At most `most` rows. */
  const readSwarmsOf = (entries: readonly FeedRow[], most = Number.MAX_SAFE_INTEGER) =>
    readGroups(
      `SELECT resource_id AS key, swarm_id AS value FROM memberships
        WHERE resource_id IN (SELECT value FROM elements($1)) LIMIT ${most}`,
      entries.filter(isChangedResource).map(({ resource_id }) => resource_id!),
    );

  /** The ids of resources whose changes are read now. Owners take turns; the first resource is read however many swarms it is in. */
  async function chosenResources(changed: readonly FeedRow[]): Promise<ReadonlySet<string>> {
    const some = inTurns(changed).slice(0, countedAtOnce);
    const rows = await db.read<{ key: string; amount: number }>({
      sql: `SELECT resource_id AS key, count(*) AS amount FROM memberships
        WHERE resource_id IN (SELECT value FROM elements($1)) GROUP BY resource_id`,
      params: [JSON.stringify([...new Set(some.map(({ resource_id }) => resource_id))])],
    });
    const amounts = new Map(rows.map(({ key, amount }) => [key, amount]));
    const chosen = new Set<string>();
    let read = 0;
    for (const { resource_id: id } of some) {
      if (chosen.has(id!)) continue;
      read += amounts.get(id!) ?? 0;
      if (chosen.size > 0 && read > eventLimits.rows) break;
      chosen.add(id!);
    }
    return chosen;
  }

  /** Those of these entries that are read now, and the swarms of their resources. */
  async function readPart(entries: readonly FeedRow[]) {
    const swarmsOf = await readSwarmsOf(entries, eventLimits.rows + 1);
    const isAll = [...swarmsOf.values()].reduce((sum, { length }) => sum + length, 0) <= eventLimits.rows;
    if (isAll) return { now: entries, left: [], swarmsOf };
    const chosen = await chosenResources(entries.filter(isChangedResource));
    const isLeft = (entry: FeedRow) => isChangedResource(entry) && !chosen.has(entry.resource_id!);
    const now = entries.filter((entry) => !isLeft(entry));
    return { now, left: entries.filter(isLeft), swarmsOf: await readSwarmsOf(now) };
  }

  /** Reads which listeners get these entries now. */
  async function readRecipients(
    entries: readonly FeedRow[],
    { listeners, swarmsOf }: { listeners: Listening; swarmsOf: ReadonlyMap<string, readonly string[]> },
  ): Promise<(entry: FeedRow) => Recipients> {
    // Nobody else sees a new resource before it joins a swarm, which is another entry.
    const swarmIdsOf = (entry: FeedRow): readonly string[] => {
      const { kind, resource_id, swarm_id, swarms_before } = entry;
      if (isChangedResource(entry)) return swarmsOf.get(resource_id!) ?? [];
      if (kind === 'resource.destroyed') return listOf(swarms_before);
      return kind === 'membership.changed' || kind === 'swarm.updated' ? [swarm_id!] : [];
    };
    const viewersOf = await readGroups(
      `SELECT viewer.swarm_id AS key, viewer.user_id AS value FROM ${viewers}
        WHERE viewer.swarm_id IN (SELECT value FROM elements($1)) ${listeners.among('viewer.user_id')}`,
      entries.flatMap(swarmIdsOf),
      listeners,
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
      const isListening = (user: string | null) => user !== null && listeners.has(user);
      if (kind === 'swarm.destroyed') {
        const users = listOf(users_before).filter(isListening);
        return { users: [], swarms: users.length > 0 ? new Map([[swarm_id!, users]]) : none };
      }
      const swarms = new Map<string, readonly string[]>();
      for (const id of swarmIdsOf(entry)) {
        const users = viewersOf.get(id);
        if (users) swarms.set(id, users);
      }
      if (kind === 'swarm.updated') return { users: [], swarms };
      const owners = ownersOf.get(swarm_id!) ?? [];
      if (kind === 'swarm.created')
        return { users: owners.filter((user) => user === owner && isListening(user)), swarms };
      const users = isForManagers(entry) ? [...owners, ...(managersOf.get(swarm_id!) ?? [])] : [owner];
      return { users: [...users, recipient].filter((user): user is string => isListening(user)), swarms };
    };
  }

  async function invitationJson(id: string): Promise<string | undefined> {
    const found = await invitations.find(id);
    return found && JSON.stringify(found);
  }

  /** The values of each key of a query, whose first parameter is these ids. `listeners`: of the values that are users, only these. */
  async function readGroups(
    select: string,
    ids: readonly string[],
    listeners?: Listening,
  ): Promise<ReadonlyMap<string, string[]>> {
    if (ids.length === 0) return new Map();
    const params = [JSON.stringify([...new Set(ids)]), ...(listeners?.params ?? [])];
    const read = await db.read<{ key: string; value: string }>({ sql: select, params });
    const rows = listeners ? read.filter(({ value }) => listeners.has(value)) : read;
    const groups = Map.groupBy(rows, ({ key }) => key);
    return new Map([...groups].map(([key, group]) => [key, group.map(({ value }) => value)]));
  }

  /**
   * Listeners who know of a swarm because they are invited or asked to manage or watch it, without its members. Answered invitations
   * may be very many.
   */
  async function invitedTo(swarmId: string, listeners: Listening): Promise<Recipients> {
    const sql = `SELECT user_id FROM (
                   SELECT "to" AS user_id FROM invitations WHERE swarm_id = $1 AND status = 'new' ${listeners.among('"to"')}
                   UNION SELECT user_id FROM managers WHERE swarm_id = $1) known
                 WHERE NOT ${seesMembers({ user: raw('known.user_id'), swarm: raw('$1') }).sql}`;
    const rows = await db.read<{ user_id: string }>({ sql, params: [swarmId, ...listeners.params] });
    return { users: rows.map(({ user_id }) => user_id).filter(listeners.has), swarms: none };
  }

  /** The users to whom a swarm does not accept requests, because it blocks them. */
  async function blockedBy(swarmId: string): Promise<ReadonlySet<string>> {
    const sql = `SELECT b.user_id FROM blocked_users b JOIN swarms s ON s.id = b.swarm_id
                 WHERE b.swarm_id = $1 AND ${isBlocked(raw('b.user_id')).sql}`;
    const rows = await db.read<{ user_id: string }>({ sql, params: [swarmId] });
    return new Set(rows.map(({ user_id }) => user_id));
  }

  /** The types and records of an entry's events; some go to others than the entry's recipients. */
  async function recordsOf(
    entry: FeedRow,
    { resourceOf, presenceOf, listeners }: RecordsById & { listeners: Listening },
  ): Promise<EntryRecord[]> {
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
        const [invited, blocked] = [await invitedTo(swarm.id, listeners), await blockedBy(swarm.id)];
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
          {
            type: 'invitation.received',
            data,
            recipients: { users: [recipient!].filter(listeners.has), swarms: none },
          },
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
    /** Those of these entries of which the user may be told: all but the changes of devices that the user does not see. */
    async seenBy(user: string, entries: readonly FeedRow[]): Promise<FeedRow[]> {
      const isOfOthers = (entry: FeedRow) => isChangedResource(entry) && entry.owner !== user;
      const ids = [...new Set(entries.filter(isOfOthers).map(({ resource_id }) => resource_id!))];
      if (ids.length === 0) return [...entries];
      const rows = await db.read<{ id: string }>({
        sql: `SELECT wanted.value AS id FROM elements($1) wanted
              WHERE ${seesDevice({ user: raw('$2'), resource: raw('wanted.value') }).sql}`,
        params: [JSON.stringify(ids), user],
      });
      const seen = new Set(rows.map(({ id }) => id));
      return entries.filter((entry) => !isOfOthers(entry) || seen.has(entry.resource_id!));
    },
    /**
     * The events of these entries, in their order, that somebody listens to. A record is read before its recipients, so that
     * users who left in the meantime do not get later data. At most so many rows are read that everybody's events go on.
     */
    async read(entries: readonly FeedRow[], listening: Listeners): Promise<BuiltEvents> {
      const listeners = listenersOf(listening);
      const repeated = repeatedIn(entries);
      const visible = entries.filter((entry) => !internal.has(entry.kind) && !repeated.has(entry));
      const { now, left, swarmsOf } = await readPart(visible);
      const recipientsBefore = await readRecipients(now, { listeners, swarmsOf });
      const wanted = now.filter((entry) => entry.kind === 'swarm.updated' || hasAny(recipientsBefore(entry)));
      const found = await resources.findAll(wanted.filter(hasResource).map(({ resource_id }) => resource_id!));
      const heard = await readPresence(
        db,
        wanted.filter(isPresence).map(({ resource_id }) => resource_id!),
      );
      const byId = {
        listeners,
        resourceOf: (id: string) => found.get(id) && JSON.stringify(found.get(id)),
        presenceOf: (id: string) => heard.get(id),
      };
      const read: { entry: FeedRow; records: EntryRecord[] }[] = [];
      for (const entry of wanted) read.push({ entry, records: await recordsOf(entry, byId) });
      const recipientsAfter = await readRecipients(wanted, { listeners, swarmsOf: await readSwarmsOf(wanted) });
      const events: RecordEvent[] = [];
      for (const { entry, records } of read) {
        for (const { type, data, isFor, recipients: all = recipientsAfter(entry) } of records) {
          const recipients = isFor ? filtered(all, isFor) : all;
          if (data === undefined || !hasAny(recipients)) continue;
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
      return { events, left, rows: rowsOf(now, swarmsOf) };
    },
  };
}

/** Listeners, and a condition that only their rows pass, with its parameters. */
interface Listening {
  has: (user: string) => boolean;
  among: (column: string) => string;
  params: readonly string[];
}

function listenersOf(listeners: Listeners): Listening {
  const has = (user: string) => listeners.has(user);
  if (listeners.size > mostCompared) return { has, among: () => '', params: [] };
  return {
    has,
    // As text, because the viewers of a swarm are looked through: a look-up of each listener in each swarm would cost more.
    among: (column) => `AND ${column} || '' IN (SELECT value FROM elements($2))`,
    params: [JSON.stringify([...listeners.keys()])],
  };
}

/** The rows that were read for these entries, by owner. */
function rowsOf(entries: readonly FeedRow[], swarmsOf: ReadonlyMap<string, readonly string[]>): Counts {
  const rows = new Counts();
  for (const entry of entries) {
    if (isChangedResource(entry)) rows.change(entry.owner!, swarmsOf.get(entry.resource_id!)?.length ?? 0);
  }
  return rows;
}

/** The first entry of each owner, then the second of each, and so on. */
function inTurns(entries: readonly FeedRow[]): FeedRow[] {
  const turns: FeedRow[][] = [];
  const taken = new Counts();
  for (const entry of entries) (turns[taken.change(entry.owner!, 1) - 1] ??= []).push(entry);
  return turns.flat();
}

const none: Recipients['swarms'] = new Map();
const isPresence = ({ kind }: FeedRow) => kind === 'presence.changed';
const isUpdate = ({ kind }: FeedRow) => kind === 'resource.updated' || kind === 'resource.moved';
/** Everybody is told who sees it in one of its swarms. */
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

function hasAny({ users, swarms }: Recipients): boolean {
  if (users.length > 0) return true;
  for (const viewers of swarms.values()) if (viewers.length > 0) return true;
  return false;
}
