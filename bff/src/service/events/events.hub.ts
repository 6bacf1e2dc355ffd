/**
 * Sends the entries of the feed as events to the streams of the users who may see the records.
 *
 * - Events are sent immediately after a pause, and then in batches. Positions of one resource are sent at most five
 * times a second, and never after a newer event about it.
 * - An event's id is its number in the feed. `id:` is the position of the client: all entries up to it have been sent,
 * so the client resumes there, also after a restart of the server. It stays before a delayed position.
 */
import { eventId, type ChangeFeed } from '../../change-feed/change-feed.ts';
import { SetsByKey } from '../../limits/bounded-map.ts';
import type { FeedRow } from '../../store/row-types.ts';
import { createFairQueue, runInSlices } from '../../limits/fair-queue.ts';
import { eventLimits, resumeLimits } from '../../limits/field-rules.ts';
import type { EventBuilder, RecordEvent } from './event-builder.store.ts';
import type { Recipients } from './recipients.store.ts';
import { createCoalescer } from './event-coalescer.ts';
import { createEventTurns, recordOf } from './event-turns.ts';

/** In ms between batches. Each batch is one write per stream. */
const beatMs = 80;
/** Entries of all users that are read at once for a client that resumes, and those whose events are made at once. */
const pageOfMissed = 1000;
const missedAtOnce = 50;
/** Between attempts to read the feed while the database is away. */
const retryMs = 500;

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

interface Reader {
  send: (batch: Batch) => void;
  /** Earlier entries have been sent as missed, or are in the lists that the client fetches. */
  from: number;
  /** The last batch of this client, because a user may see one record in several swarms. */
  last: Batch | undefined;
  /** New batches while the missed events are read, which come first; undefined if there are none. */
  held: HeldBatches | undefined;
}

interface HeldBatches {
  batches: Batch[];
  bytes: number;
}

export type Hub = ReturnType<typeof createHub>;

export function createHub({
  feed,
  records,
  report,
  now,
}: {
  feed: Omit<ChangeFeed, 'purge' | 'measure' | 'newestId' | 'readCommitted'>;
  records: EventBuilder;
  report: (error: unknown) => void;
  now: () => Date;
}) {
  const readers = new SetsByKey<Reader>();
  const coalescer = createCoalescer<string, FeedRow | RecordEvent>({
    everyMs: 1000 / eventLimits.positions,
    beatMs,
    onDue: () => enqueueOrReset(sendDue),
  });
  const turns = createEventTurns({ ofOwner: eventLimits.ofOwner });
  let isStopped = false;
  /** Number of the last entry that was taken from the feed. */
  let taken = feed.newest;
  /** Everything up to here has been sent, or is delayed by the coalescer under a key. */
  let sent = taken;
  let isWaiting = false;
  /** The position up to which a client has missed nothing. Set at the end of each step. */
  let position = sent;

  /** What clients have missed is read in turns by user, beside new events: many may come back at once. */
  const resumes = createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY, atOnce: 4 });

  /**
   * Entries and due events are steps, each with reads of its own. They run one after another, so that no reader gets an event
   * before an older one.
   */
  let last: Promise<void> = Promise.resolve();
  function enqueue(step: () => Promise<void>): Promise<void> {
    const done = last.then(step);
    last = done.catch(() => {}).then(() => void (position = cursor()));
    return done;
  }

  const idOf = (seq: number) => eventId(feed.name, seq);
  /** Undefined for an id of another feed. */
  function seqOf(id: string): number | undefined {
    const [, name, seq] = /^([0-9a-z]+)-(\d{1,15})$/.exec(id) ?? [];
    return name === feed.name ? Number(seq) : undefined;
  }

  function cursor(): number {
    const [oldest] = coalescer.delayed();
    return Math.min(sent, (oldest?.seq ?? Infinity) - 1, turns.oldest() - 1);
  }

  /** Runs a step after the others. If it fails, events are lost, and all clients get a `reset`. */
  function enqueueOrReset(step: () => Promise<void>) {
    void enqueue(async () => {
      try {
        await step();
      } catch (error) {
        // The database is closed soon after the hub is stopped.
        if (isStopped) return;
        report(error);
        await resetAll();
      }
    });
  }

  const unsubscribe = feed.subscribe((entries) => enqueueOrReset(entries ? () => takeEntries(entries) : resetAll));

  /** Sends a `reset` to all clients, as soon as they can read their lists again. */
  async function resetAll() {
    while (!(await isReadable())) {
      if (isStopped) return;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
    coalescer.clear();
    turns.clear();
    isWaiting = false;
    taken = feed.newest;
    sent = taken;
    const everybody = { users: [...readers.keys()], swarms: new Map() };
    sendBatch(batchOf([resetAt(taken)], everybody), everybody);
  }

  const isReadable = () =>
    feed.catchUp().then(
      () => true,
      () => false,
    );

  const resetAt = (seq: number) =>
    streamEvent({ seq, type: 'reset', at: now().toISOString(), data: '{}', isMove: false }, seq);

  async function takeEntries(entries: readonly FeedRow[]) {
    if (readers.size > 0) {
      const isMove = ({ kind }: FeedRow) => kind === 'resource.moved';
      const others = lastOfSwarms(entries.filter((entry) => !isMove(entry)));
      // Read now, because a later commit may change them before the next batch.
      const events = await readInTurn(others);
      for (const entry of entries.filter(isMove)) coalescer.put(entry.resource_id!, entry);
      // These records are read with the newest position.
      for (const { kind, resource_id } of others) {
        if (kind === 'resource.updated' || kind === 'resource.destroyed') coalescer.drop(resource_id!);
      }
      for (const event of events) coalescer.add(event);
      isWaiting ||= events.length > 0;
    }
    taken = entries.at(-1)!.seq;
    if (!isWaiting) sent = taken;
  }

  /** The events of these entries. Those of owners whose turn it is not wait for a later beat. */
  async function readInTurn(entries: readonly FeedRow[]): Promise<RecordEvent[]> {
    const now: FeedRow[] = [];
    for (const entry of entries) {
      turns.drop(entry);
      if (mayWait.has(entry.kind) && turns.mustWait(entry)) turns.wait(entry);
      else {
        if (isOfSwarm(entry)) turns.charge(entry.owner!, eventLimits.rowsOfSwarm);
        now.push(entry);
      }
    }
    const { events, left, rows } = await records.read(now, readers);
    for (const entry of left) turns.wait(entry);
    for (const [owner, amount] of rows) turns.charge(owner, amount);
    if (turns.size > 0) coalescer.beatAgain();
    return events;
  }

  async function sendDue() {
    const due = coalescer.take();
    const moves = due.filter((each) => 'kind' in each);
    const ready = due.filter((each): each is RecordEvent => !('kind' in each));
    const read = await readInTurn(turns.next(moves));
    isWaiting = false;
    sent = taken;
    const after = cursor();
    const events = [...ready, ...read].toSorted((a, b) => a.seq - b.seq);
    const upTo = (seq: number) => Math.max(position, Math.min(seq, after));
    for (const run of runsWithSameRecipients(events)) {
      const [{ recipients }] = run;
      sendBatch(
        batchOf(
          run.map((event) => streamEvent(event, upTo(event.seq))),
          recipients,
        ),
        recipients,
      );
    }
  }

  function sendBatch(batch: Batch, { users, swarms }: Recipients) {
    for (const names of [users, ...swarms.values()]) {
      for (const user of names) {
        for (const reader of readers.of(user)) {
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

  function sendTo(reader: Reader, batch: Batch) {
    const events = batch.events.filter(({ seq }) => seq > reader.from);
    if (events.length === batch.events.length) sendOrHold(reader, batch);
    else if (events.length > 0) sendOrHold(reader, { ...batch, ...joined(events) });
  }

  function sendOrHold({ send, held }: Reader, batch: Batch) {
    if (!held) return send(batch);
    held.bytes += batch.bytes.length;
    if (held.bytes <= resumeLimits.heldBytes) held.batches.push(batch);
    // A reset follows instead.
    else held.batches.length = 0;
  }

  function streamEvent({ seq, type, at, data, ...event }: Omit<RecordEvent, 'recipients'>, upTo: number): StreamEvent {
    const envelope = `{"id":"${idOf(seq)}","type":"${type}","at":"${at}","data":${data}}`;
    return { ...event, seq, type, bytes: Buffer.from(`id: ${idOf(upTo)}\ndata: ${envelope}\n\n`) };
  }

  /**
   * The events of a user after `after`, up to the first entry that the reader gets as a new event; undefined if they are too many, if
   * one is a `reset`, or if entries are purged. Of the moves of a resource only the last one.
   */
  async function* missedBy(of: { user: string; after: number; upTo: number }) {
    const { user, after, upTo } = of;
    const events = new Map<string, StreamEvent>();
    let size = 0;
    let position = after;
    while (position < upTo) {
      const page = await feed.since(position, pageOfMissed);
      if (!page || position - after > resumeLimits.entries) return undefined;
      const entries = lastMoves(page.filter(({ seq }) => seq <= upTo));
      for (let from = 0; from < entries.length; from += missedAtOnce) {
        for (const event of await eventsFor(user, entries.slice(from, from + missedAtOnce))) {
          const key = event.isMove ? `move ${event.resourceId}` : String(event.seq);
          size += event.bytes.length - (events.get(key)?.bytes.length ?? 0);
          events.delete(key);
          events.set(key, event);
          if (size > resumeLimits.bytes || events.size > resumeLimits.events || event.type === 'reset')
            return undefined;
        }
        yield;
      }
      position = page.at(-1)?.seq ?? upTo;
    }
    return [...events.values()];
  }

  async function eventsFor(user: string, entries: readonly FeedRow[]): Promise<StreamEvent[]> {
    const events: RecordEvent[] = [];
    let left: readonly FeedRow[] = await records.seenBy(user, entries);
    while (left.length > 0) {
      const read = await records.read(left, new Set([user]));
      events.push(...read.events);
      left = read.left;
    }
    return events.toSorted((a, b) => a.seq - b.seq).map((event) => streamEvent(event, event.seq));
  }

  /** Sends the events after `id`, and then the new ones that the reader has not been sent meanwhile. */
  async function resume(of: { user: string; id: string; reader: Reader; held: HeldBatches }) {
    const { user, id, reader, held } = of;
    const { send } = reader;
    const upTo = reader.from;
    const after = seqOf(id);
    // Another process may have sent entries that this one has not received.
    if (after !== undefined && after > feed.newest) await feed.catchUp();
    const isKnown = after !== undefined && after <= feed.newest;
    const missed = isKnown && (await runInSlices(resumes, { user }, missedBy({ user, after, upTo })));
    reader.held = undefined;
    if (missed) reader.from = Math.max(reader.from, after);
    if (!missed || held.bytes > resumeLimits.heldBytes) {
      // The client reads its lists then, which have what was held.
      send(batchOf([resetAt(cursor())], toUser(user)));
      return;
    }
    if (missed.length > 0) send(batchOf(missed, toUser(user)));
    for (const batch of held.batches) sendTo(reader, batch);
  }

  return {
    /**
     * Sends the events after `after`, and then all new ones. `started` resolves when the missed events have been sent.
     */
    subscribe(options: { user: string; after: string | undefined; send: (batch: Batch) => void }) {
      const { user, after, send } = options;
      // Immediately: the client reads its lists when the stream is open, and later entries are not in them.
      const from = feed.newest;
      const held: HeldBatches = { batches: [], bytes: 0 };
      let hasEnded = false;
      const reader: Reader = { send: (batch) => !hasEnded && send(batch), from, last: undefined, held: undefined };
      if (after !== undefined) reader.held = held;
      readers.add(user, reader);
      return {
        started: after === undefined ? Promise.resolve() : resume({ user, id: after, reader, held }),
        end() {
          hasEnded = true;
          readers.remove(user, reader);
        },
      };
    },
    /** The line with the position of a client that has received everything. */
    mark: () => `id: ${idOf(position)}\n`,
    stop() {
      isStopped = true;
      unsubscribe();
      coalescer.clear();
    },
  };
}

/** What may be told later, with the newest record. */
const mayWait: ReadonlySet<FeedRow['kind']> = new Set<FeedRow['kind']>([
  'resource.updated',
  'resource.moved',
  'presence.changed',
  'swarm.updated',
]);

/** Of the updates of each swarm only the last one: all of them would have its newest record. */
function lastOfSwarms(entries: readonly FeedRow[]): readonly FeedRow[] {
  if (!entries.some(isOfSwarm)) return entries;
  const last = new Map(entries.filter(isOfSwarm).map((entry) => [recordOf(entry), entry]));
  return entries.filter((entry) => !isOfSwarm(entry) || last.get(recordOf(entry)) === entry);
}
const isOfSwarm = ({ kind }: FeedRow) => kind === 'swarm.updated';

const toUser = (user: string): Recipients => ({ users: [user], swarms: new Map() });

/** Only the last move of each resource, because all of them would have its newest position. */
function lastMoves(entries: readonly FeedRow[]): FeedRow[] {
  const last = new Map(entries.map(({ resource_id, seq, kind }) => [kind.startsWith('resource.') && resource_id, seq]));
  return entries.filter(({ seq, kind, resource_id }) => kind !== 'resource.moved' || last.get(resource_id) === seq);
}

function batchOf(events: StreamEvent[], { swarms }: Recipients): Batch {
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
function runsWithSameRecipients(events: readonly RecordEvent[]): [RecordEvent, ...RecordEvent[]][] {
  const runs: [RecordEvent, ...RecordEvent[]][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last && haveSameRecipients(last[0].recipients, event.recipients)) last.push(event);
    else runs.push([event]);
  }
  return runs;
}

function haveSameRecipients(one: Recipients, other: Recipients): boolean {
  const isSame = (a: readonly string[] = [], b: readonly string[] = []) =>
    a === b || (a.length === b.length && a.every((user, index) => user === b[index]));
  if (one.swarms.size !== other.swarms.size || !isSame(one.users, other.users)) return false;
  return [...one.swarms].every(([id, viewers]) => other.swarms.has(id) && isSame(viewers, other.swarms.get(id)));
}
