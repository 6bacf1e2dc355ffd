/**
 * Delivers messages to the devices that receive them, and to browsers that watch a swarm. A receiver is live, and gets each
 * message when it is sent, or it catches up: it reads what it has missed with its rights of that moment. It catches up at
 * its start, when its rights may have changed, and when its client reads slowly, so that nothing is buffered for it.
 *
 * The feed is read before messages are delivered: rights that ended before a message was sent have ended here too, whichever
 * process ended them.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { Problem } from '../problem.ts';
import type { FeedRow, MessageRow } from '../store/row-types.ts';
import { lastOf, type Messages } from './messages.store.ts';

/** The newest messages stay in memory, so that a receiver that has missed few reads no rows. */
const recentAtMost = 500;
const recentBytes = 1024 * 1024;
/** Numbers in one read of missed messages: few for a client that reads slowly, because their payloads may be large. */
const readAtOnce = { least: 16, most: 200 };
/** Messages that are delivered together, because a write to each receiver costs more than a message: their bytes, and the deliveries. */
const deliveredAtOnce = { bytes: 64 * 1024, deliveries: 1000 };
/** In bytes: what a message has beside its payload. */
const headBytes = 256;
/** Rows that wait for their delivery. Beyond, they are read again later. */
const queuedAtMost = 1000;
/** In ms: how long deliveries and receivers that catch up run before other work does. A turn of the event loop costs 0.03. */
const sliceMs = 1.5;
/** In ms between the reads for a browser that watches. */
const flushEveryMs = 500;
const retryMs = 500;

/** A message, with the forms in which it was sent. */
export interface Outgoing {
  readonly json: string;
  /** For MQTT: where it came from, its payload as JSON, and its position. */
  readonly topic: string;
  readonly payload: string;
  readonly position: string;
  /** As an event of a stream. */
  readonly event: Uint8Array;
  /** As a line of JSON. */
  readonly line: Uint8Array;
}

/** All rows of a message. */
interface Sent {
  rows: MessageRow[];
  last: number;
  bytes: number;
}

export interface ReceiverOptions {
  userId: string;
  keyId: string;
  resourceId: string;
  /** A position, after which it receives. */
  after: string;
  /** Returns false if the client cannot take more now. Then `ready` resolves when it can. */
  send: (messages: readonly Outgoing[]) => boolean;
  ready: () => Promise<void>;
  /** Throws if the key or the session has ended. */
  recheckAccess: () => Promise<void> | void;
  /** The right to receive has ended (a Problem), or the database is away, in which case it is tried again. */
  failed: (error: unknown) => void;
  /** The server stops. A stream is closed by others. */
  stopped?: () => void;
}

interface Receiver extends ReceiverOptions {
  /** Everything up to this number was sent to it, or is not for it. */
  position: number;
  started: () => void;
  /** Undefined while it catches up. */
  swarms: ReadonlySet<string> | undefined;
  /** Its rights may have changed since they were read. */
  isChanged: boolean;
  /** Numbers in its next read. */
  window: number;
  hasEnded: boolean;
}

interface Watcher {
  /** A message of its swarm was delivered. */
  note: () => void;
  isChanged: boolean;
}

export type MessageHub = ReturnType<typeof createMessageHub>;

/** Sets by a key, without empty ones. */
function createIndex<T>() {
  const sets = new Map<string, Set<T>>();
  return {
    keys: () => sets.keys(),
    of: (key: string): Iterable<T> => sets.get(key) ?? [],
    add(key: string, value: T) {
      const set = sets.get(key);
      if (set) set.add(value);
      else sets.set(key, new Set([value]));
    },
    delete(key: string, value: T) {
      const set = sets.get(key);
      set?.delete(value);
      if (set?.size === 0) sets.delete(key);
    },
  };
}

export function createMessageHub(options: {
  messages: Messages;
  feed: Pick<ChangeFeed, 'subscribe' | 'readCommitted'>;
  onCommit: (subscriber: () => Promise<void>) => () => void;
  report: (error: unknown) => void;
}) {
  const { messages, feed, onCommit, report } = options;
  const receivers = new Set<Receiver>();
  const byDevice = createIndex<Receiver>();
  const byKey = createIndex<Receiver>();
  const bySwarm = createIndex<Receiver>();
  const watchers = createIndex<Watcher>();
  let watching = 0;
  /** Reads messages while somebody receives them. */
  let starting: Promise<void> | undefined;
  let isReady = false;
  /** Number of the last row that was read, and of the last one that was delivered to all live receivers. */
  let taken = 0;
  let done = 0;
  let queue: MessageRow[] = [];
  /** Taken from the queue, and not delivered yet. */
  let delivering: Sent[] = [];
  let recent: Sent[] = [];
  let recentSize = 0;
  /** Everything after this number, up to `done`, is in `recent`. */
  let recentFrom = 0;
  /** The messages that are being delivered, and who has not got them yet. */
  let current: { before: number; targets: Map<Receiver, MessageRow[]> } | undefined;
  let isUnread = false;
  let isDelivering = false;
  let isStopped = false;
  let isAway = false;
  let sliceEndsAt = 0;
  let nextSlice: Promise<void> | undefined;
  const formed = new WeakMap<MessageRow, Outgoing>();

  function outgoing(row: MessageRow): Outgoing {
    const known = formed.get(row);
    if (known) return known;
    const json = messages.jsonOf(row);
    const position = messages.positionOf(lastOf(row));
    let event: Uint8Array | undefined;
    let line: Uint8Array | undefined;
    const made: Outgoing = {
      json,
      ...{ topic: `messages/${row.swarm_id}/${row.sender_id}`, payload: row.payload, position },
      get event() {
        return (event ??= Buffer.from(`id: ${position}\ndata: ${json}\n\n`));
      },
      get line() {
        return (line ??= Buffer.from(`${json}\n`));
      },
    };
    formed.set(row, made);
    return made;
  }

  /** Waits until other work has run, if deliveries and receivers have used their time. All of them share it. */
  async function yieldIfDue() {
    while (performance.now() >= sliceEndsAt) {
      nextSlice ??= nextTurn().then(() => {
        nextSlice = undefined;
        sliceEndsAt = performance.now() + sliceMs;
      });
      await nextSlice;
    }
  }

  /** One line in the log for each time that the database is away. */
  function reportOnce(error: unknown) {
    if (!isAway) report(error);
    isAway = true;
  }

  /** Begins with the newest message, unless it runs already. */
  function start(): Promise<void> {
    starting ??= (async () => {
      const newest = await messages.newest();
      taken = done = recentFrom = Math.max(done, newest);
      queue = [];
      recent = [];
      recentSize = 0;
      isReady = true;
    })().catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    return starting;
  }

  function stopIfIdle() {
    if (receivers.size > 0 || watching > 0) return;
    starting = undefined;
    isReady = false;
  }

  // Rows of this process are not read again. They follow the last ones, unless another process has sent some between.
  messages.onSent((rows) => {
    const isNext = isReady && rows[0]?.seq === taken + 1 && rows.at(-1)!.seq === taken + rows.length;
    if (isNext && queue.length < queuedAtMost) {
      queue = queue.concat(rows);
      taken += rows.length;
    } else isUnread ||= rows.length > 0;
    deliverSoon();
  });
  const unsubscribes = [
    onCommit(async () => {
      isUnread = true;
      // Rows of this process come soon, and are not read.
      if (!messages.isSending()) deliverSoon();
    }),
    feed.subscribe((entries) => {
      if (!entries) for (const receiver of receivers) changed(receiver);
      else entries.forEach(noteEntry);
      const destroyed = entries?.filter(({ kind }) => kind === 'resource.destroyed') ?? [];
      if (destroyed.length > 0) forgetSent(new Set(destroyed.map(({ resource_id }) => resource_id!)));
    }),
  ];

  function noteEntry({ kind, owner, resource_id, swarm_id, record_id }: FeedRow) {
    if (kind === 'membership.changed' || kind === 'resource.destroyed')
      for (const each of byDevice.of(resource_id!)) changed(each);
    else if (kind === 'swarm.destroyed') for (const each of [...bySwarm.of(swarm_id!)]) changed(each);
    else if (kind === 'key.changed' && record_id !== null) for (const each of byKey.of(record_id)) changed(each);
    else if (kind === 'key.changed' || kind === 'account.ended')
      for (const each of receivers) if (each.userId === owner) changed(each);
    // Who catches up is in no swarm, and may have read that it is in this one.
    if (kind === 'swarm.destroyed' || kind === 'account.ended')
      for (const each of receivers) if (!each.swarms) each.isChanged = true;
    if (swarm_id !== null) for (const each of watchers.of(swarm_id)) each.isChanged = true;
  }

  /** The messages of senders that do not exist any more are deleted, also from memory. */
  function forgetSent(senders: ReadonlySet<string>) {
    const isLeft = ({ sender_id }: MessageRow) => !senders.has(sender_id);
    queue = queue.filter(isLeft);
    for (const sent of [...recent, ...delivering]) sent.rows = sent.rows.filter(isLeft);
    for (const [receiver, rows] of current?.targets ?? []) current!.targets.set(receiver, rows.filter(isLeft));
  }

  /** The rights of a receiver may have changed: from now on it gets only what it may receive then. */
  function changed(receiver: Receiver) {
    receiver.isChanged = true;
    if (receiver.swarms) catchUpSoon(receiver);
  }

  function catchUpSoon(receiver: Receiver) {
    for (const swarm of receiver.swarms ?? []) bySwarm.delete(swarm, receiver);
    receiver.swarms = undefined;
    receiver.position = Math.max(receiver.position, current?.targets.delete(receiver) ? current.before : done);
    void catchUp(receiver);
  }

  async function catchUp(receiver: Receiver) {
    const { userId, resourceId: id, ready, recheckAccess, failed } = receiver;
    while (!receiver.hasEnded && !isStopped) {
      try {
        // First: nobody else would stop what is started for one that has ended.
        await start();
        await ready();
        await yieldIfDue();
        // Another process may be ahead. A number that no message has is of another database.
        if (receiver.position > done && receiver.position > (await messages.newest())) receiver.position = 0;
        const upTo = done;
        receiver.isChanged = false;
        await recheckAccess();
        const swarms = await messages.receivedBy({ userId, id });
        isAway = false;
        if (receiver.hasEnded) return;
        if (!swarms) throw new Problem('resource.not_found');
        if (receiver.isChanged) continue;
        if (receiver.position < recentFrom) await sendMissed(receiver, swarms, upTo);
        else if (sendRecent(receiver, new Set(swarms))) return;
      } catch (error) {
        if (isStopped || receiver.hasEnded) return;
        failed(error);
        if (error instanceof Problem) return;
        reportOnce(error);
        await sleep(retryMs);
      }
    }
  }

  /** Sends a part of what it has missed up to a number that was sent before its rights were read. */
  async function sendMissed(receiver: Receiver, swarms: string[], upTo: number) {
    const { resourceId: id, position: after } = receiver;
    const first = await messages.firstAfter({ swarms, after });
    if (first === undefined || first > upTo) {
      receiver.position = Math.max(after, upTo);
      return;
    }
    let end = Math.min(first + receiver.window - 1, upTo);
    let rows = await messages.received({ id, swarms, after: first - 1, upTo: end });
    // One message may have more rows.
    if (rows[0] && lastOf(rows[0]) > end) {
      end = lastOf(rows[0]);
      rows = await messages.received({ id, swarms, after: first - 1, upTo: end });
    }
    if (receiver.isChanged || receiver.hasEnded) return;
    for (const sent of sentOf(rows)) {
      // The rest of the last message is beyond the end.
      if (sent.last > end) return;
      receiver.position = sent.last;
      if (!receiver.send([outgoing(sent.rows.at(-1)!)])) {
        receiver.window = readAtOnce.least;
        return;
      }
    }
    receiver.position = end;
    receiver.window = Math.min(2 * receiver.window, readAtOnce.most);
  }

  /** Sends the rest from memory, without waiting, and makes it live. Returns false if its client cannot take more. */
  function sendRecent(receiver: Receiver, swarms: ReadonlySet<string>): boolean {
    for (const { rows, last } of recent) {
      if (last <= receiver.position) continue;
      receiver.position = last;
      const row = rows.findLast((each) => swarms.has(each.swarm_id) && isFor(receiver, each));
      if (row && !receiver.send([outgoing(row)])) return false;
    }
    receiver.position = Math.max(receiver.position, done);
    receiver.swarms = swarms;
    for (const swarm of swarms) bySwarm.add(swarm, receiver);
    receiver.started();
    return true;
  }

  const isFor = ({ resourceId }: Receiver, { sender_id, to_id }: MessageRow) =>
    sender_id !== resourceId && (to_id === null || to_id === resourceId);

  function deliverSoon() {
    if (!isStopped && !isDelivering) void deliverAll();
  }

  async function deliverAll() {
    isDelivering = true;
    while (!isStopped && starting) {
      try {
        await starting;
        await readUnread();
        if (queue.length === 0 && !isUnread) {
          // At once: what comes after this line must begin again.
          isDelivering = false;
          return;
        }
        const rows = queue;
        queue = [];
        await feed.readCommitted();
        isAway = false;
        delivering = sentOf(rows);
        // It may have begun anew meanwhile.
        while ((delivering = delivering.filter(({ last }) => last > done)).length > 0) await deliver(delivering);
      } catch (error) {
        if (!isStopped) reportOnce(error);
        isUnread = true;
        taken = done;
        queue = [];
        await sleep(retryMs);
      }
    }
    isDelivering = false;
  }

  async function readUnread() {
    while (isUnread && queue.length < queuedAtMost) {
      isUnread = false;
      const after = taken;
      const rows = await messages.since(after);
      // Rows of this process were added meanwhile.
      if (taken !== after) isUnread = true;
      else if (rows.length > 0) {
        isUnread = true;
        queue = queue.concat(rows);
        taken = rows.at(-1)!.seq;
      }
    }
  }

  /** Delivers the first of these messages. */
  async function deliver(all: readonly Sent[]) {
    const targets = new Map<Receiver, MessageRow[]>();
    let [amount, bytes, deliveries] = [0, 0, 0];
    while (amount < all.length && bytes < deliveredAtOnce.bytes && deliveries < deliveredAtOnce.deliveries) {
      const sent = all[amount++]!;
      bytes += sent.bytes + headBytes;
      for (const row of sent.rows) {
        const some = row.to_id === null ? bySwarm.of(row.swarm_id) : byDevice.of(row.to_id);
        for (const receiver of some) {
          deliveries += 1;
          if (!receiver.swarms?.has(row.swarm_id) || receiver.position >= sent.last || !isFor(receiver, row)) continue;
          const rows = targets.get(receiver);
          if (!rows) targets.set(receiver, [row]);
          // A message to several of its swarms.
          else if (lastOf(rows.at(-1)!) === sent.last) rows.splice(-1, 1, row);
          else rows.push(row);
        }
        for (const watcher of watchers.of(row.swarm_id)) watcher.note();
      }
      // A receiver that becomes live from now on reads it from here.
      recent.push(sent);
      recentSize += sent.bytes;
    }
    current = { before: done, targets };
    done = all[amount - 1]!.last;
    while (recent.length > recentAtMost || recentSize > recentBytes) {
      const oldest = recent.shift()!;
      recentSize -= oldest.bytes;
      recentFrom = oldest.last;
    }
    for (const [receiver, rows] of targets) {
      targets.delete(receiver);
      if (rows.length > 0 && !receiver.send(rows.map(outgoing))) catchUpSoon(receiver);
      if (performance.now() >= sliceEndsAt) await yieldIfDue();
    }
    current = undefined;
  }

  return {
    /** All messages that are sent from now on are after it. */
    newestPosition: async () => messages.positionOf(isReady ? done : await messages.newest()),

    /** Sends what the device may receive, until `end` is called. `started` resolves when it has got what it has missed. */
    receive(given: ReceiverOptions) {
      const begun = Promise.withResolvers<void>();
      const { after, resourceId, keyId } = given;
      const receiver: Receiver = {
        ...given,
        position: messages.seqOf(after),
        ...{ swarms: undefined, isChanged: false, window: readAtOnce.least, hasEnded: false, started: begun.resolve },
      };
      receivers.add(receiver);
      byDevice.add(resourceId, receiver);
      byKey.add(keyId, receiver);
      void catchUp(receiver);
      return {
        started: begun.promise,
        /** Where the client resumes. */
        position() {
          const reached = !receiver.swarms ? receiver.position : current?.targets.has(receiver) ? current.before : done;
          return messages.positionOf(Math.max(receiver.position, reached));
        },
        end() {
          if (receiver.hasEnded) return;
          receiver.hasEnded = true;
          receivers.delete(receiver);
          byDevice.delete(resourceId, receiver);
          byKey.delete(keyId, receiver);
          for (const swarm of receiver.swarms ?? []) bySwarm.delete(swarm, receiver);
          current?.targets.delete(receiver);
          begun.resolve();
          stopIfIdle();
        },
      };
    },

    /**
     * Reads the new messages of a swarm, at most twice a second. `read` returns those that the user may see, newest first;
     * when it throws a Problem, the user may not, and gets no more. `send` is called without items at the beginning, when the
     * client reads its list again. `ready`: waits for a client that reads slowly. `started` resolves after the first read.
     */
    watch<Item>(watched: {
      swarmId: string;
      read: (between: { since: string; before: string }) => Promise<Item[]>;
      ready: () => Promise<void>;
      send: (news: { items: Item[]; count: number }) => void;
    }): { started: Promise<void>; end: () => void } {
      const { swarmId, read, ready, send } = watched;
      let [hasEnded, isReading] = [false, false];
      /** Undefined until the first read. */
      let position: number | undefined;
      let count = 0;
      let timer: NodeJS.Timeout | undefined;
      const watcher: Watcher = {
        isChanged: false,
        note() {
          count += 1;
          readSoon();
        },
      };
      function readSoon() {
        if (!hasEnded && !isReading) timer ??= setTimeout(() => void readNew(), flushEveryMs);
      }
      async function readNew() {
        timer = undefined;
        isReading = true;
        try {
          await start();
          await ready();
          const [upTo, counted] = [done, count];
          watcher.isChanged = false;
          // Who may not read the swarm costs no more than the first read.
          const items = await read({
            since: messages.positionOf(position ?? upTo),
            before: messages.positionOf(upTo + 1),
          });
          isAway = false;
          if (!watcher.isChanged && !hasEnded) {
            // The client has read its list before the first position.
            if (items.length > 0 || position === undefined) send({ items, count: counted });
            position = upTo;
            count -= counted;
          }
        } catch (error) {
          if (error instanceof Problem) return end();
          reportOnce(error);
        }
        isReading = false;
        if (count > 0 || position === undefined) readSoon();
      }
      function end() {
        if (hasEnded) return;
        hasEnded = true;
        watching -= 1;
        watchers.delete(swarmId, watcher);
        clearTimeout(timer);
        stopIfIdle();
      }
      watching += 1;
      watchers.add(swarmId, watcher);
      return { started: readNew(), end };
    },

    /** The devices with an open stream, or a request that waits. */
    receiving: () => byDevice.keys(),

    /** Answers the requests that wait for a message. */
    endWaiting() {
      for (const { stopped } of receivers) stopped?.();
    },

    stop() {
      isStopped = true;
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

/** The messages of rows in their order. */
function sentOf(rows: readonly MessageRow[]): Sent[] {
  const all: Sent[] = [];
  for (const row of rows) {
    const before = all.at(-1);
    if (before?.last === lastOf(row)) {
      before.rows.push(row);
      before.bytes += row.payload.length;
    } else all.push({ rows: [row], last: lastOf(row), bytes: row.payload.length });
  }
  return all;
}
