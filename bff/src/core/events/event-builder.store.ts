/**
 * Makes events from entries of the feed. An entry has only ids: the record and its viewers are read now, so that nobody
 * gets what they may no longer see. An entry whose record is gone makes no event; a later entry reports the deletion.
 */
import type { StreamEventType } from '../../contract.ts';
import type { Database } from '../store/database.ts';
import { Counts } from '../limits/bounded-map.ts';
import { threadTicks } from '../limits/loop-ticks.ts';
import { eventLimits } from '../limits/part-limits.ts';
import type { FeedRow } from '../store/row-types.ts';
import { readPresence } from '../store/presence-row.ts';
import { isOpen } from '../store/visibility.ts';
import type { Stores } from '../stores.ts';
import { recordsOf, type EntryRecord, type EventOfCapability } from './event-records.ts';
import { hasResource, interleaved, isChangedResource, isPresence, visibleIn } from './feed-entries.ts';
import {
  filtered,
  hasAny,
  idsInTicks,
  listenersOf,
  readGroups,
  readRecipients,
  seenBy,
  type Listeners,
  type Listening,
  type Recipients,
} from './recipients.store.ts';

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

interface BuiltEvents {
  events: RecordEvent[];
  /** Changes for which so many rows would be read that they wait. */
  left: FeedRow[];
  /** The rows that were read to find out who is told, by the owner of what has changed. */
  rows: ReadonlyMap<string, number>;
}

export type EventBuilder = ReturnType<typeof createEventBuilder>;

type Source = Stores & { db: Database; ofCapabilities: readonly EventOfCapability[] };

export function createEventBuilder(source: Source) {
  return {
    /** Returns the entries that the user may be told of: all except changes of devices that the user does not see. */
    seenBy: (user: string, entries: readonly FeedRow[]): Promise<FeedRow[]> => seenBy(source.db, user, entries),
    /**
     * The events of these entries, in their order, that somebody listens to. At most so many rows are read that everybody's
     * events go on.
     */
    read: (entries: readonly FeedRow[], listening: Listeners): Promise<BuiltEvents> =>
      readEvents(source, entries, listenersOf(listening)),
  };
}

/** A record is read before its recipients, so that users who left in the meantime do not get later data. */
async function readEvents(source: Source, entries: readonly FeedRow[], listeners: Listening): Promise<BuiltEvents> {
  const { db } = source;
  const { now, left, swarmsOf } = await readFirst(db, visibleIn(entries));
  const recipientsBefore = await readRecipients(db, now, { listeners, swarmsOf });
  const wanted = now.filter((entry) => entry.kind === 'swarm.updated' || hasAny(recipientsBefore(entry)));
  const read = await readRecords(source, wanted, listeners);
  const swarmsAfter = await readSwarmsOf(db, wanted);
  const recipientsAfter = await readRecipients(db, wanted, { listeners, swarmsOf: swarmsAfter });
  const events: RecordEvent[] = [];
  for (const { entry, records } of read) {
    for (const record of records) {
      const event = eventOf(entry, record, recipientsAfter);
      if (event) events.push(event);
    }
  }
  return { events, left, rows: rowsOf(now, swarmsOf) };
}

async function readRecords(
  source: Source,
  wanted: readonly FeedRow[],
  listeners: Listening,
): Promise<{ entry: FeedRow; records: EntryRecord[] }[]> {
  const { db, resources } = source;
  await threadTicks.begun();
  const found = await resources.findAll(wanted.filter(hasResource).map(({ resource_id }) => resource_id!));
  await threadTicks.begun();
  const heard = await readPresence(
    db,
    wanted.filter(isPresence).map(({ resource_id }) => resource_id!),
  );
  const byId = {
    listeners,
    // Its former owner does not get what it is now.
    resourceOf({ resource_id, owner }: FeedRow) {
      const record = found.get(resource_id!);
      return record?.user_id === owner ? JSON.stringify(record) : undefined;
    },
    presenceOf({ resource_id, owner }: FeedRow) {
      const device = heard.get(resource_id!);
      return device?.owner === owner ? device?.presence : undefined;
    },
  };
  const read: { entry: FeedRow; records: EntryRecord[] }[] = [];
  for (const entry of wanted) {
    await threadTicks.begun();
    read.push({ entry, records: await recordsOf(source, entry, byId) });
  }
  return read;
}

/** Undefined if the record is gone, or nobody gets it. */
function eventOf(
  entry: FeedRow,
  record: EntryRecord,
  recipientsOf: (entry: FeedRow) => Recipients,
): RecordEvent | undefined {
  const { type, data, isFor, recipients: all = recipientsOf(entry) } = record;
  const recipients = isFor ? filtered(all, isFor) : all;
  if (data === undefined || !hasAny(recipients)) return undefined;
  const { seq, at, kind, owner, resource_id } = entry;
  const ofResource = (kind.startsWith('resource.') || isPresence(entry)) && {
    resourceId: resource_id!,
    owner: owner!,
  };
  return { seq, at, type, data, recipients, isMove: kind === 'resource.moved', ...ofResource };
}

/** Returns which of these entries are read now and which wait, and the swarms of the resources that have changed. */
async function readFirst(db: Database, entries: readonly FeedRow[]) {
  const swarmsOf = await readSwarmsOf(db, entries, eventLimits.rows);
  const isAll = [...swarmsOf.values()].reduce((sum, { length }) => sum + length, 0) < eventLimits.rows;
  if (isAll) return { now: entries, left: [], swarmsOf };
  const chosen = await chooseResources(db, entries.filter(isChangedResource));
  const isLeft = (entry: FeedRow) => isChangedResource(entry) && !chosen.has(entry.resource_id!);
  const now = entries.filter((entry) => !isLeft(entry));
  return { now, left: entries.filter(isLeft), swarmsOf: await readSwarmsOf(db, now) };
}

/** The swarms of the resources that have changed, by the id of the resource. Those of some, if there are `most` rows or more. */
const readSwarmsOf = (db: Database, entries: readonly FeedRow[], most = Number.MAX_SAFE_INTEGER) =>
  readGroups(
    db,
    `SELECT resource_id AS key, swarm_id AS value FROM memberships m
        WHERE resource_id IN (SELECT value FROM elements($1)) AND ${isOpen('m')} LIMIT ${most}`,
    entries.filter(isChangedResource).map(({ resource_id }) => resource_id!),
    { most },
  );

/** The ids of resources whose changes are read now. Owners take turns; the first resource is read however many swarms it is in. */
async function chooseResources(db: Database, changed: readonly FeedRow[]): Promise<ReadonlySet<string>> {
  const chosen = new Set<string>();
  let read = 0;
  for await (const some of idsInTicks(interleaved(changed).map(({ resource_id }) => resource_id!))) {
    const rows = await db.read<{ key: string; amount: number }>({
      sql: `SELECT resource_id AS key, count(*) AS amount FROM memberships
        WHERE resource_id IN (SELECT value FROM elements($1)) GROUP BY resource_id`,
      params: [JSON.stringify(some)],
    });
    const amounts = new Map(rows.map(({ key, amount }) => [key, amount]));
    for (const id of some) {
      read += amounts.get(id) ?? 0;
      if (chosen.size > 0 && read > eventLimits.rows) return chosen;
      chosen.add(id);
    }
  }
  return chosen;
}

/** The rows that were read for these entries, by owner. */
function rowsOf(entries: readonly FeedRow[], swarmsOf: ReadonlyMap<string, readonly string[]>): Counts {
  const rows = new Counts();
  for (const entry of entries) {
    if (isChangedResource(entry)) rows.change(entry.owner!, swarmsOf.get(entry.resource_id!)?.length ?? 0);
  }
  return rows;
}
