/** The recipients of an event: users with open streams who may see what it is about. */
import { threadTicks } from '../limits/loop-ticks.ts';
import type { Database } from '../store/database.ts';
import type { FeedRow } from '../store/row-types.ts';
import { raw } from '../store/statement.ts';
import { isBlocked, isOfManager, isOpen, isViewer, seesDevice, seesMembers, viewers } from '../store/visibility.ts';
import { isChangedResource, isForManagers, isOfSwarm } from './feed-entries.ts';

type Reads = Pick<Database, 'read'>;

/** The recipients of an event, among the users who listen: these users, and the viewers of these swarms. */
export interface Recipients {
  users: readonly string[];
  /** The viewers by swarm. */
  swarms: ReadonlyMap<string, readonly string[]>;
}

/** The users with open streams. */
export interface Listeners {
  readonly size: number;
  has(user: string): boolean;
  keys(): Iterable<string>;
}

/** Of ids, by one statement: a resource may be in many swarms, and a swarm may have many viewers. */
const idsAtOnce = 100;

/** With more listeners, they are compared here: to hand them to the database would cost more than the rows. */
const mostCompared = 1000;

/** Listeners, and a condition that only their rows pass, with its parameters. */
export interface Listening {
  has: (user: string) => boolean;
  among: (column: string) => string;
  params: readonly string[];
}

export function listenersOf(listeners: Listeners): Listening {
  const has = (user: string) => listeners.has(user);
  if (listeners.size > mostCompared) return { has, among: () => '', params: [] };
  return {
    has,
    // `|| ''` prevents the use of an index: to look each listener up in each swarm would cost more than to read the viewers of a swarm.
    among: (column) => `AND ${column} || '' IN (SELECT value FROM elements($2))`,
    params: [JSON.stringify([...listeners.keys()])],
  };
}

export const none: Recipients['swarms'] = new Map();
const listOf = (text: string | null) => (text === null ? [] : text.split(','));

export function hasAny({ users, swarms }: Recipients): boolean {
  if (users.length > 0) return true;
  for (const viewers of swarms.values()) if (viewers.length > 0) return true;
  return false;
}

export const filtered = ({ users, swarms }: Recipients, isFor: (user: string) => boolean): Recipients => ({
  users: users.filter(isFor),
  swarms: new Map([...swarms].map(([id, viewers]) => [id, viewers.filter(isFor)])),
});

/** The parts of these ids that one statement reads. Each begins in a tick: on SQLite, reads take the time of this thread. */
export async function* idsInTicks(ids: readonly string[]): AsyncGenerator<readonly string[]> {
  const all = [...new Set(ids)];
  for (let from = 0; from < all.length; from += idsAtOnce) {
    await threadTicks.begun();
    yield all.slice(from, from + idsAtOnce);
  }
}

/**
 * The values of each key of a query, whose first parameter is these ids. `listeners`: of the values that are users, only these. Ends when
 * so many rows were read.
 */
export async function readGroups(
  reads: Reads,
  select: string,
  ids: readonly string[],
  { listeners, most = Infinity }: { listeners?: Listening; most?: number } = {},
): Promise<ReadonlyMap<string, string[]>> {
  const rows: { key: string; value: string }[] = [];
  let count = 0;
  for await (const some of idsInTicks(ids)) {
    const params = [JSON.stringify(some), ...(listeners?.params ?? [])];
    const read = await reads.read<{ key: string; value: string }>({ sql: select, params });
    rows.push(...(listeners ? read.filter(({ value }) => listeners.has(value)) : read));
    count += read.length;
    if (count >= most) break;
  }
  const groups = Map.groupBy(rows, ({ key }) => key);
  return new Map([...groups].map(([key, group]) => [key, group.map(({ value }) => value)]));
}

/** Reads which listeners get these entries now. */
export async function readRecipients(
  reads: Reads,
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
    reads,
    `SELECT viewer.swarm_id AS key, viewer.user_id AS value FROM ${viewers}
      WHERE viewer.swarm_id IN (SELECT value FROM elements($1)) AND ${isViewer} ${listeners.among('viewer.user_id')}`,
    entries.flatMap(swarmIdsOf),
    { listeners },
  );
  // A swarm may have another owner now than when the entry was written.
  const ownersOf = await readGroups(
    reads,
    `SELECT id AS key, user_id AS value FROM swarms WHERE id IN (SELECT value FROM elements($1))`,
    entries.filter(isOfSwarm).map(({ swarm_id }) => swarm_id!),
  );
  const managersOf = await readGroups(
    reads,
    `SELECT swarm_id AS key, user_id AS value FROM managers
      WHERE ${isOfManager('managers')} AND swarm_id IN (SELECT value FROM elements($1))`,
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

/**
 * Listeners who know of a swarm because they are invited or asked to manage or watch it, without its members. Answered invitations
 * may be very many.
 */
export async function invitedTo(
  reads: Reads,
  { swarmId, listeners }: { swarmId: string; listeners: Listening },
): Promise<Recipients> {
  const sql = `SELECT user_id FROM (
                 SELECT "to" AS user_id FROM invitations WHERE swarm_id = $1 AND status = 'new' ${listeners.among('"to"')}
                 UNION SELECT user_id FROM managers asked WHERE swarm_id = $1 AND ${isOpen('asked')}) known
               WHERE NOT ${seesMembers({ user: raw('known.user_id'), swarm: raw('$1') }).sql}`;
  const rows = await reads.read<{ user_id: string }>({ sql, params: [swarmId, ...listeners.params] });
  return { users: rows.map(({ user_id }) => user_id).filter(listeners.has), swarms: none };
}

/** The users to whom a swarm does not accept requests, because it blocks them. */
export async function blockedBy(reads: Reads, swarmId: string): Promise<ReadonlySet<string>> {
  const sql = `SELECT b.user_id FROM blocked_users b JOIN swarms s ON s.id = b.swarm_id
               WHERE b.swarm_id = $1 AND ${isBlocked(raw('b.user_id')).sql}`;
  const rows = await reads.read<{ user_id: string }>({ sql, params: [swarmId] });
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Returns the entries that the user may be told of: all except changes of devices that the user does not see. */
export async function seenBy(reads: Reads, user: string, entries: readonly FeedRow[]): Promise<FeedRow[]> {
  const isOfOthers = (entry: FeedRow) => isChangedResource(entry) && entry.owner !== user;
  const ids = [...new Set(entries.filter(isOfOthers).map(({ resource_id }) => resource_id!))];
  if (ids.length === 0) return [...entries];
  const rows = await reads.read<{ id: string }>({
    sql: `SELECT wanted.value AS id FROM elements($1) wanted
          WHERE ${seesDevice({ user: raw('$2'), resource: raw('wanted.value') }).sql}`,
    params: [JSON.stringify(ids), user],
  });
  const seen = new Set(rows.map(({ id }) => id));
  return entries.filter((entry) => !isOfOthers(entry) || seen.has(entry.resource_id!));
}
