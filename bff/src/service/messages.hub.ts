/**
 * Gives messages to the devices that receive them, and to browsers that watch a swarm. A receiver is live, and gets each
 * message when it is sent, or it catches up: it reads what it has missed with its rights of that moment. It catches up at
 * its start, when its rights may have changed, and when its client reads slowly, so that nothing is buffered for it.
 *
 * The feed is read on before messages are given out: rights that ended before a message was sent have ended here too,
 * whichever process ended them.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { Problem } from '../http/problem.ts';
import type { FeedRow, MessageRow } from '../store/row-types.ts';
import { lastOf, type Messages } from './messages.store.ts';

/** The newest messages stay in memory, so that a receiver that has missed few reads no rows. */
const recentAtMost = 500;
const recentBytes = 1024 * 1024;
/** Numbers in one read of missed messages. */
const readAtOnce = 200;
/** Rows that wait to be given out. Beyond, they are read again later. */
const queuedAtMost = 1000;
/** In ms: to how many receivers a message is given at once, before other work runs. */
const sliceMs = 4;
const beatMs = 250;
const retryMs = 500;

/** A message, with the forms in which it was sent. */
export interface Outgoing {
  readonly json: string;
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
  send: (message: Outgoing) => boolean;
  ready: () => Promise<void>;
  /** Throws if the key or the session has ended. */
  recheckAccess: () => Promise<void> | void;
  /** The right to receive has ended (a Problem), or the database is away, in which case it is tried again. */
  failed: (error: unknown) => void;
}

interface Receiver extends ReceiverOptions {
  /** Everything up to this number was sent to it, or is not for it. */
  position: number;
  started: () => void;
  /** Undefined while it catches up. */
  swarms: ReadonlySet<string> | undefined;
  /** Its rights may have changed since they were read. */
  isChanged: boolean;
  hasEnded: boolean;
}

interface Watcher {
  position: number;
  count: number;
  isChanged: boolean;
  timer: NodeJS.Timeout | undefined;
  flush: () => Promise<void>;
}

export type MessageHub = ReturnType<typeof createMessageHub>;

/** Sets by a key, without empty ones. */
function createIndex<T>() {
  const sets = new Map<string, Set<T>>();
  return {
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
  feed: Pick<ChangeFeed, 'subscribe' | 'readOn'>;
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
  /** Reads messages while there is somebody to give them to. */
  let starting: Promise<void> | undefined;
  let isReady = false;
  /** Number of the last row that was read, and of the last one that was given to all live receivers. */
  let taken = 0;
  let done = 0;
  let queue: MessageRow[] = [];
  let recent: Sent[] = [];
  let recentSize = 0;
  /** Everything after this number, up to `done`, is in `recent`. */
  let recentFrom = 0;
  /** The message that is being given out, and who has not got it yet. */
  let current: { before: number; targets: Map<Receiver, MessageRow> } | undefined;
  let isUnread = false;
  let isPumping = false;
  let isStopped = false;
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
      queue.push(...rows);
      taken += rows.length;
    } else isUnread ||= rows.length > 0;
    pump();
  });
  const unsubscribes = [
    onCommit(async () => {
      isUnread = true;
      // Rows of this process come soon.
      if (!messages.isSending()) pump();
    }),
    feed.subscribe((entries) => {
      if (!entries) for (const receiver of receivers) changed(receiver);
      else entries.forEach(noteEntry);
    }),
  ];

  function noteEntry({ kind, owner, resource_id, swarm_id, record_id }: FeedRow) {
    if (kind === 'membership.changed' || kind === 'resource.destroyed')
      for (const each of byDevice.of(resource_id!)) changed(each);
    else if (kind === 'swarm.destroyed') for (const each of [...bySwarm.of(swarm_id!)]) changed(each);
    else if (kind === 'key.changed' && record_id !== null) for (const each of byKey.of(record_id)) changed(each);
    else if (kind === 'key.changed') for (const each of receivers) if (each.userId === owner) changed(each);
    if (swarm_id !== null) for (const each of watchers.of(swarm_id)) each.isChanged = true;
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
        await ready();
        await start();
        const upTo = done;
        receiver.isChanged = false;
        await recheckAccess();
        const swarms = await messages.receivedBy({ userId, id });
        if (receiver.hasEnded) return;
        if (!swarms) throw new Problem('resource.not_found');
        if (receiver.isChanged) continue;
        if (receiver.position < recentFrom) await sendMissed(receiver, swarms, upTo);
        else if (sendRecent(receiver, new Set(swarms))) return;
      } catch (error) {
        if (isStopped || receiver.hasEnded) return;
        failed(error);
        if (error instanceof Problem) return;
        report(error);
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
    let end = Math.min(first + readAtOnce - 1, upTo);
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
      if (!receiver.send(outgoing(sent.rows.at(-1)!))) return;
    }
    receiver.position = end;
  }

  /** Sends the rest from memory, without waiting, and makes it live. Returns false if its client cannot take more. */
  function sendRecent(receiver: Receiver, swarms: ReadonlySet<string>): boolean {
    for (const { rows, last } of recent) {
      if (last <= receiver.position) continue;
      receiver.position = last;
      const row = rows.findLast((each) => swarms.has(each.swarm_id) && isFor(receiver, each));
      if (row && !receiver.send(outgoing(row))) return false;
    }
    receiver.position = Math.max(receiver.position, done);
    receiver.swarms = swarms;
    for (const swarm of swarms) bySwarm.add(swarm, receiver);
    receiver.started();
    return true;
  }

  const isFor = ({ resourceId }: Receiver, { sender_id, to_id }: MessageRow) =>
    sender_id !== resourceId && (to_id === null || to_id === resourceId);

  function pump() {
    if (!isStopped && !isPumping) void giveOut();
  }

  async function giveOut() {
    isPumping = true;
    while (!isStopped && starting) {
      try {
        await starting;
        await readUnread();
        if (queue.length === 0 && !isUnread) {
          // At once: what comes after this line must begin again.
          isPumping = false;
          return;
        }
        const rows = queue;
        queue = [];
        await feed.readOn();
        for (const sent of sentOf(rows)) if (sent.last > done) await give(sent);
      } catch (error) {
        if (!isStopped) report(error);
        isUnread = true;
        taken = done;
        queue = [];
        await sleep(retryMs);
      }
    }
    isPumping = false;
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
        queue.push(...rows);
        taken = rows.at(-1)!.seq;
      }
    }
  }

  async function give(sent: Sent) {
    const targets = new Map<Receiver, MessageRow>();
    for (const row of sent.rows) {
      const some = row.to_id === null ? bySwarm.of(row.swarm_id) : byDevice.of(row.to_id);
      for (const receiver of some)
        if (receiver.swarms?.has(row.swarm_id) && receiver.position < sent.last && isFor(receiver, row))
          targets.set(receiver, row);
      for (const watcher of watchers.of(row.swarm_id)) noteFor(watcher);
    }
    // Who becomes live from now on has got it from memory.
    recent.push(sent);
    recentSize += sent.bytes;
    current = { before: done, targets };
    done = sent.last;
    while (recent.length > recentAtMost || recentSize > recentBytes) {
      const oldest = recent.shift()!;
      recentSize -= oldest.bytes;
      recentFrom = oldest.last;
    }
    let until = performance.now() + sliceMs;
    for (const [receiver, row] of targets) {
      targets.delete(receiver);
      if (!receiver.send(outgoing(row))) catchUpSoon(receiver);
      if (targets.size > 0 && performance.now() > until) {
        await nextTurn();
        until = performance.now() + sliceMs;
      }
    }
    current = undefined;
  }

  function noteFor(watcher: Watcher) {
    watcher.count += 1;
    watcher.timer ??= setTimeout(() => void watcher.flush(), beatMs);
  }

  return {
    /** A number that all messages are after that are sent from now on. */
    now: async () => (isReady ? done : messages.newest()),

    /** Sends what the device may receive, until `end` is called. `started` resolves when it has got what it has missed. */
    receive(given: ReceiverOptions) {
      const begun = Promise.withResolvers<void>();
      const { after, resourceId, keyId } = given;
      const receiver: Receiver = {
        ...given,
        position: messages.seqOf(after),
        ...{ swarms: undefined, isChanged: false, hasEnded: false, started: begun.resolve },
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
     * Reads the new messages of a swarm, at most four times a second. `read` returns those that the user may see, newest
     * first, and throws if there is no right any more. `started` resolves when all new ones are read; `end` ends it.
     */
    watch<Item>(watched: {
      swarmId: string;
      read: (between: { since: string; before: string }) => Promise<Item[]>;
      send: (news: { items: Item[]; count: number }) => void;
    }): { started: Promise<void>; end: () => void } {
      const { swarmId, read, send } = watched;
      let hasEnded = false;
      const watcher: Watcher = {
        ...{ position: -1, count: 0, isChanged: false, timer: undefined },
        async flush() {
          try {
            const [since, upTo, count] = [Math.max(watcher.position, 0), done, watcher.count];
            watcher.isChanged = false;
            const items = await read({
              since: messages.positionOf(since),
              before: messages.positionOf(upTo + 1),
            });
            if (!watcher.isChanged && !hasEnded) {
              watcher.position = upTo;
              watcher.count -= count;
              send({ items, count });
            }
          } catch (error) {
            // Who may not read any more gets nothing more.
            if (error instanceof Problem) watcher.count = 0;
            else report(error);
          }
          watcher.timer = undefined;
          if (watcher.count > 0 && !hasEnded) noteAgain();
        },
      };
      const noteAgain = () => (watcher.timer ??= setTimeout(() => void watcher.flush(), beatMs));
      watching += 1;
      watchers.add(swarmId, watcher);
      return {
        started: start().then(() => void (watcher.position = done)),
        end() {
          hasEnded = true;
          watching -= 1;
          watchers.delete(swarmId, watcher);
          clearTimeout(watcher.timer);
          stopIfIdle();
        },
      };
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
