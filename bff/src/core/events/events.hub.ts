/**
 * Sends the entries of the feed as events to the streams of the users who may see the records.
 *
 * - Events are sent immediately after a pause, and then in batches. Positions of one resource are sent at most five
 * times a second, and never after a newer event about it.
 * - An event's id is its number in the feed. `id:` is the cursor of the client: all entries up to it have been sent,
 * so the client resumes there, also after a restart of the server. It stays before a delayed position.
 */
import { eventId, type ChangeFeed } from '../feed/change-feed.ts';
import { SetsByKey } from '../limits/bounded-map.ts';
import type { FeedRow } from '../store/row-types.ts';
import { createMainThreadQueue, runInSlices } from '../limits/fair-queue.ts';
import { eventLimits, resumeLimits } from '../limits/part-limits.ts';
import type { EventBuilder, RecordEvent } from './event-builder.store.ts';
import { createCoalescer } from './event-coalescer.ts';
import { createEventQueue, recordOf } from './event-queue.ts';
import { missedBy } from './missed-events.ts';
import type { Recipients } from './recipients.store.ts';
import { batchOf, runsWithSameRecipients, streamEvent, type Batch } from './stream-batches.ts';
import { sendTo, sendToAll, type BufferedBatches, type Reader, type Readers } from './stream-readers.ts';

/** In ms between batches. Each batch is one write per stream. */
const beatMs = 80;
/** Between attempts to read the feed while the database is away. */
const retryMs = 500;

export type Hub = ReturnType<typeof createHub>;

/** One function, because its steps share the cursors `taken`, `sentUpTo` and `resumePoint`, and run in one order. */
export function createHub({
  feed,
  records,
  report,
  now,
}: {
  feed: Omit<ChangeFeed, 'purge' | 'measure' | 'newestId' | 'oldestId' | 'readCommitted'>;
  records: EventBuilder;
  report: (error: unknown) => void;
  now: () => Date;
}) {
  const readers: Readers = new SetsByKey();
  const coalescer = createCoalescer<string, FeedRow | RecordEvent>({
    everyMs: 1000 / eventLimits.positions,
    beatMs,
    onDue: () => enqueueOrReset(sendDue),
  });
  const queue = createEventQueue({ ofOwner: eventLimits.ofOwner });
  let isStopped = false;
  /** Number of the last entry that was taken from the feed. */
  let taken = feed.newest;
  /** Everything up to here has been sent, or is delayed by the coalescer under a key. */
  let sentUpTo = taken;
  let hasNewEvents = false;
  /** The cursor up to which a client has missed nothing. Set at the end of each step. */
  let resumePoint = sentUpTo;

  /** What clients have missed is read in turns by user, beside new events: many may come back at once. */
  const resumes = createMainThreadQueue();

  /**
   * Entries and due events are steps, each with reads of its own. They run one after another, so that no reader gets an event
   * before an older one.
   */
  let last: Promise<void> = Promise.resolve();
  function enqueue(step: () => Promise<void>): Promise<void> {
    const done = last.then(step);
    last = done.catch(() => {}).then(() => void (resumePoint = cursor()));
    return done;
  }

  const idOf = (seq: number) => eventId(feed.name, seq);
  function cursor(): number {
    const [oldest] = coalescer.delayed();
    return Math.min(sentUpTo, (oldest?.seq ?? Infinity) - 1, queue.oldest() - 1);
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
    queue.clear();
    hasNewEvents = false;
    taken = feed.newest;
    sentUpTo = taken;
    const everybody = { users: [...readers.keys()], swarms: new Map() };
    sendToAll(readers, batchOf([resetAt(taken)], everybody), { recipients: everybody, report });
  }

  const isReadable = () =>
    feed.catchUp().then(
      () => true,
      () => false,
    );

  const resetAt = (seq: number) =>
    streamEvent(idOf, { seq, type: 'reset', at: now().toISOString(), data: '{}', isMove: false }, seq);

  async function takeEntries(entries: readonly FeedRow[]) {
    if (readers.size > 0) {
      const isMove = ({ kind }: FeedRow) => kind === 'resource.moved';
      const others = lastOfSwarms(entries.filter((entry) => !isMove(entry)));
      // Read now, because a later commit may change them before the next batch.
      const events = await readOrQueue(others);
      for (const entry of entries.filter(isMove)) coalescer.put(entry.resource_id!, entry);
      // These records are read with the newest position.
      for (const { kind, resource_id } of others) {
        if (kind === 'resource.updated' || kind === 'resource.destroyed') coalescer.drop(resource_id!);
      }
      for (const event of events) coalescer.add(event);
      hasNewEvents ||= events.length > 0;
    }
    taken = entries.at(-1)!.seq;
    if (!hasNewEvents) sentUpTo = taken;
  }

  async function readOrQueue(entries: readonly FeedRow[]): Promise<RecordEvent[]> {
    const events = await readWithinLimit({ records, queue, readers }, entries);
    if (queue.size > 0) coalescer.beatAgain();
    return events;
  }

  async function sendDue() {
    const due = coalescer.take();
    const moves = due.filter((each) => 'kind' in each);
    const ready = due.filter((each): each is RecordEvent => !('kind' in each));
    const read = await readOrQueue(queue.next(moves));
    hasNewEvents = false;
    sentUpTo = taken;
    const after = cursor();
    const events = [...ready, ...read].toSorted((a, b) => a.seq - b.seq);
    const upTo = (seq: number) => Math.max(resumePoint, Math.min(seq, after));
    for (const run of runsWithSameRecipients(events)) {
      const [{ recipients }] = run;
      const shown = run.map((event) => streamEvent(idOf, event, upTo(event.seq)));
      sendToAll(readers, batchOf(shown, recipients), { recipients, report });
    }
  }

  /** Sends the events after `id`, and then the new ones that the reader has not been sent meanwhile. */
  async function resume(options: { user: string; id: string; reader: Reader; buffered: BufferedBatches }) {
    const { user, id, reader, buffered } = options;
    const { send } = reader;
    const upTo = reader.from;
    const after = seqOf(feed.name, id);
    // Another process may have sent entries that this one has not received.
    if (after !== undefined && after > feed.newest) await feed.catchUp();
    const isKnown = after !== undefined && after <= feed.newest;
    const missed =
      isKnown && (await runInSlices(resumes, { user }, missedBy({ feed, records, idOf }, { user, after, upTo })));
    reader.buffered = undefined;
    if (missed) reader.from = Math.max(reader.from, after);
    if (!missed || buffered.bytes > resumeLimits.heldBytes) {
      // The client reads its lists then, which have what was buffered.
      send(batchOf([resetAt(cursor())], toUser(user)));
      return;
    }
    if (missed.length > 0) send(batchOf(missed, toUser(user)));
    for (const batch of buffered.batches) sendTo(reader, batch);
  }

  return {
    /**
     * Sends the events after `after`, and then all new ones. `started` resolves when the missed events have been sent.
     */
    subscribe(options: { user: string; after: string | undefined; send: (batch: Batch) => void }) {
      const { user, after, send } = options;
      // Immediately: the client reads its lists when the stream is open, and later entries are not in them.
      const from = feed.newest;
      const buffered: BufferedBatches = { batches: [], bytes: 0 };
      let hasEnded = false;
      const reader: Reader = { send: (batch) => !hasEnded && send(batch), from, last: undefined, buffered: undefined };
      if (after !== undefined) reader.buffered = buffered;
      readers.add(user, reader);
      return {
        started: after === undefined ? Promise.resolve() : resume({ user, id: after, reader, buffered }),
        stop() {
          hasEnded = true;
          readers.remove(user, reader);
        },
      };
    },
    /** The line with the cursor of a client that has received everything. */
    cursorLine: () => `id: ${idOf(resumePoint)}\n`,
    stop() {
      isStopped = true;
      unsubscribe();
      coalescer.clear();
    },
  };
}

/** Undefined for an id of another feed. */
function seqOf(feedName: string, id: string): number | undefined {
  const [, name, seq] = /^([0-9a-z]+)-(\d{1,15})$/.exec(id) ?? [];
  return name === feedName ? Number(seq) : undefined;
}

/** The events of these entries. Those of owners beyond their limit wait for a later beat. */
async function readWithinLimit(
  { records, queue, readers }: { records: EventBuilder; queue: ReturnType<typeof createEventQueue>; readers: Readers },
  entries: readonly FeedRow[],
): Promise<RecordEvent[]> {
  const now: FeedRow[] = [];
  for (const entry of entries) {
    queue.drop(entry);
    if (mayWait.has(entry.kind) && queue.mustWait(entry)) queue.enqueue(entry);
    else {
      if (isOfSwarm(entry)) queue.charge(entry.owner!, eventLimits.rowsOfSwarm);
      now.push(entry);
    }
  }
  const { events, left, rows } = await records.read(now, readers);
  for (const entry of left) queue.enqueue(entry);
  for (const [owner, amount] of rows) queue.charge(owner, amount);
  return events;
}

/** What may be sent later, with the newest record. */
const mayWait: ReadonlySet<FeedRow['kind']> = new Set<FeedRow['kind']>([
  'resource.updated',
  'resource.moved',
  'presence.changed',
  'swarm.updated',
]);

/** Leaves only the last update of each swarm: all of them would have its newest record. */
function lastOfSwarms(entries: readonly FeedRow[]): readonly FeedRow[] {
  if (!entries.some(isOfSwarm)) return entries;
  const last = new Map(entries.filter(isOfSwarm).map((entry) => [recordOf(entry), entry]));
  return entries.filter((entry) => !isOfSwarm(entry) || last.get(recordOf(entry)) === entry);
}
const isOfSwarm = ({ kind }: FeedRow) => kind === 'swarm.updated';

const toUser = (user: string): Recipients => ({ users: [user], swarms: new Map() });
