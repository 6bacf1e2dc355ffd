/**
 * Sends the entries of the feed as events to the streams of the users who may see the records.
 *
 * - Events are sent immediately after a pause, and then in batches. Positions of one resource are sent at most five
 * times a second, and never after a newer event about it.
 * - An event's id is its number in the feed. `id:` is the position of the client: all entries up to it have been sent,
 * so the client resumes there, also after a restart of the server. It stays before a delayed position.
 */
import type { Feed } from '../feed/feed.ts';
import type { FeedRow } from '../store/tables.ts';
import { includesAny } from './event-records.store.ts';
import type { Audience, EventRecords, RecordEvent } from './event-records.store.ts';
import { createThrottle } from './throttle.ts';

const positionsEveryMs = 200;
/** In ms between batches. Each batch is one write per stream. */
const beatMs = 80;
/** If a client has missed more, it gets a `reset`, because fetching the lists is cheaper. */
const mostMissed = 5000;
const mostMissedBytes = 128 * 1024;

interface StreamEvent extends Pick<RecordEvent, 'seq' | 'type' | 'resourceId' | 'owner' | 'isMove'> {
  /** The output of the batch. */
  bytes: Uint8Array;
}

interface Batch {
  events: readonly StreamEvent[];
  bytes: Uint8Array;
  /** The user may see these records as a member of that swarm. */
  seenIn(swarmId: string, user: string): boolean;
}

export interface Hub {
  /** Sends the events after `after`, and then all new ones. Returns a function that ends the subscription. */
  subscribe(options: { user: string; after: string | undefined; send: (batch: Batch) => void }): () => void;
  /** The line with the position of a client that has received everything. */
  mark(): string;
  /** The id of the newest change. */
  newest(): string;
  stop(): void;
}

interface Reader {
  send: (batch: Batch) => void;
  /** Earlier entries have been sent as missed, or are in the lists that the client fetches. */
  from: number;
  /** The last batch of this client, because a user may see one record in several swarms. */
  last: Batch | undefined;
}

export function createHub({
  feed,
  records,
  report,
  now,
}: {
  feed: Feed;
  records: EventRecords;
  report: (error: unknown) => void;
  now: () => Date;
}): Hub {
  const readers = new Map<string, Set<Reader>>();
  const throttle = createThrottle<string, FeedRow | RecordEvent>({ everyMs: positionsEveryMs, beatMs, pass });
  /** Everything up to here has been sent, or is delayed by the throttle under a key. */
  let sent = feed.newest;
  let isWaiting = false;

  const idOf = (seq: number) => `${feed.name}-${seq}`;
  const hasReader = (audience: Audience) => includesAny(audience, (user) => readers.has(user));

  /** The position up to which a client has missed nothing. */
  function cursor(): number {
    const [oldest] = throttle.held();
    return oldest && oldest.seq <= sent ? oldest.seq - 1 : sent;
  }

  const unsubscribe = feed.subscribe((entries) => {
    if (readers.size > 0) {
      const [moves, others] = [true, false].map((isMove) =>
        entries.filter(({ kind }) => (kind === 'resource.moved') === isMove),
      ) as [FeedRow[], FeedRow[]];
      for (const entry of moves) throttle.put(entry.resource_id!, entry);
      // Read now with the newest position, because a later commit may change them before the next batch.
      for (const { kind, resource_id } of others) {
        if (kind === 'resource.updated' || kind === 'resource.destroyed') throttle.drop(resource_id!);
      }
      const events = records.read(others, hasReader);
      for (const event of events) throttle.add(event);
      isWaiting ||= events.length > 0;
    }
    if (!isWaiting) sent = feed.newest;
  });

  function pass(due: (FeedRow | RecordEvent)[]) {
    const before = cursor();
    isWaiting = false;
    sent = feed.newest;
    const after = cursor();
    const moves = due.filter((each) => 'kind' in each);
    const moved = new Map(records.read(moves, hasReader).map((event) => [event.seq, event]));
    const events = due.flatMap((each) => ('kind' in each ? (moved.get(each.seq) ?? []) : [each]));
    const upTo = (seq: number) => Math.max(before, Math.min(seq, after));
    for (const run of runsOfOneAudience(events)) {
      const [{ audience }] = run;
      sendBatch(
        batchOf(
          run.map((event) => streamEvent(event, upTo(event.seq))),
          audience,
        ),
        audience,
      );
    }
  }

  function sendBatch(batch: Batch, { users, swarms }: Audience) {
    for (const names of [users, ...swarms.values()]) {
      for (const user of names) {
        for (const reader of readers.get(user) ?? []) {
          if (reader.last === batch) continue;
          reader.last = batch;
          try {
            sendTo(reader, batch);
          } catch (error) {
            report(error);
          }
        }
      }
    }
  }

  function sendTo({ send, from }: Reader, batch: Batch) {
    const events = batch.events.filter(({ seq }) => seq > from);
    if (events.length === batch.events.length) send(batch);
    else if (events.length > 0) send({ ...batch, ...joined(events) });
  }

  function streamEvent({ seq, type, at, data, ...event }: RecordEvent, upTo: number): StreamEvent {
    const envelope = `{"id":"${idOf(seq)}","type":"${type}","at":"${at}","data":${data}}`;
    return { ...event, seq, type, bytes: Buffer.from(`id: ${idOf(upTo)}\ndata: ${envelope}\n\n`) };
  }

  function missedBy(user: string, after: string): StreamEvent[] {
    const [, name, seen] = /^([0-9a-z]+)-(\d{1,15})$/.exec(after) ?? [];
    const entries = name === feed.name ? feed.since(Number(seen), mostMissed) : undefined;
    const missed = entries && records.read(lastMoves(entries), (audience) => includes(audience, user));
    const events = missed?.map((event) => streamEvent(event, event.seq));
    const size = events?.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
    const isReset = !events || size > mostMissedBytes || events.some(({ type }) => type === 'reset');
    if (!isReset) return events;
    const seq = cursor();
    const reset = { seq, type: 'reset' as const, at: now().toISOString(), data: '{}', isMove: false };
    return [streamEvent({ ...reset, audience: toUser(user) }, seq)];
  }

  return {
    subscribe({ user, after, send }) {
      const reader: Reader = { send, from: feed.newest, last: undefined };
      const ofUser = readers.get(user) ?? new Set();
      readers.set(user, ofUser.add(reader));
      const missed = after === undefined ? [] : missedBy(user, after);
      if (missed.length > 0) send(batchOf(missed, toUser(user)));
      return () => {
        ofUser.delete(reader);
        if (ofUser.size === 0 && readers.get(user) === ofUser) readers.delete(user);
      };
    },
    mark: () => `id: ${idOf(cursor())}\n`,
    newest: () => idOf(feed.newest),
    stop() {
      unsubscribe();
      throttle.stop();
    },
  };
}

const toUser = (user: string): Audience => ({ users: [user], swarms: new Map() });
const includes = (audience: Audience, user: string) => includesAny(audience, (each) => each === user);

/** Only the last move of each resource, because all of them would have its newest position. */
function lastMoves(entries: readonly FeedRow[]): FeedRow[] {
  const last = new Map(entries.map(({ resource_id, seq, kind }) => [kind.startsWith('resource.') && resource_id, seq]));
  return entries.filter(({ seq, kind, resource_id }) => kind !== 'resource.moved' || last.get(resource_id) === seq);
}

function batchOf(events: StreamEvent[], { swarms }: Audience): Batch {
  const sets = new Map<string, Set<string>>();
  return {
    ...joined(events),
    seenIn(swarmId, user) {
      const viewers = swarms.get(swarmId);
      if (!viewers) return false;
      const set = sets.get(swarmId) ?? new Set(viewers);
      sets.set(swarmId, set);
      return set.has(user);
    },
  };
}

function joined(events: StreamEvent[]): Pick<Batch, 'events' | 'bytes'> {
  return { events, bytes: events.length === 1 ? events[0]!.bytes : Buffer.concat(events.map(({ bytes }) => bytes)) };
}

/** Consecutive events for the same users are one write. */
function runsOfOneAudience(events: readonly RecordEvent[]): [RecordEvent, ...RecordEvent[]][] {
  const runs: [RecordEvent, ...RecordEvent[]][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last && isSameAudience(last[0].audience, event.audience)) last.push(event);
    else runs.push([event]);
  }
  return runs;
}

function isSameAudience(one: Audience, other: Audience): boolean {
  const isSame = (a: readonly string[] = [], b: readonly string[] = []) =>
    a === b || (a.length === b.length && a.every((user, index) => user === b[index]));
  if (one.swarms.size !== other.swarms.size || !isSame(one.users, other.users)) return false;
  return [...one.swarms].every(([id, viewers]) => other.swarms.has(id) && isSame(viewers, other.swarms.get(id)));
}
