/**
 * Delivers messages to the devices that receive them, and to browsers that watch a swarm. The newest ones are in memory. A
 * receiver is live, and is sent from there what it has not got yet, or it catches up: it reads what it has missed with its
 * rights of that moment. It catches up at its start, when its rights may have changed, and when its client reads slowly, so
 * that nothing is buffered for it. Users take turns in these reads. Deliveries are charged to the user of the receiver: beyond
 * the user's budget, the receivers of this user catch up, too.
 *
 * The feed is read before messages are delivered: rights that ended before a message was sent have ended here too, whichever
 * process ended them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChangeFeed } from '../../change-feed/change-feed.ts';
import { SetsByKey } from '../../limits/bounded-map.ts';
import type { Budget } from '../../limits/budget.ts';
import { createFairQueue } from '../../limits/fair-queue.ts';
import { deliveryCosts } from '../../limits/field-rules.ts';
import { Problem } from '../../problem.ts';
import type { FeedRow, MessageRow } from '../../store/row-types.ts';
import { lastOf, type Messages } from './messages.store.ts';

/** Of the messages in memory. */
const recentAtMost = { messages: 500, bytes: 1024 * 1024 };
/** Numbers in one read of missed messages: few, because their payloads may be large and the client may read slowly. */
const readAtOnce = 50;
/** In bytes: missed messages that are sent together. As much is held for a client that does not read, so it is less than above. */
const missedAtOnce = 16 * 1024;
/** In bytes: messages that are delivered together, because a write to each receiver costs more than a message. */
const deliveredAtOnce = 64 * 1024;
/** In bytes: what a message has beside its payload. */
const headBytes = 256;
/** Rows of this process that wait for their delivery. Beyond, they are read again later. */
const waitingAtMost = 1000;
/** In ms: how long deliveries run before other work does. A turn of the event loop costs 0.03. */
const sliceMs = 0.5;
/** In ms between the reads for a browser that watches. */
const flushEveryMs = 500;
const retryMs = 500;
const nobody = '';
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

/** A message, with the forms in which it is sent. */
export interface Outgoing {
  readonly row: MessageRow;
  /** Its position. */
  readonly id: string;
  readonly json: string;
  /** As an event of a stream and as a line, for all of its receivers. The line is a part of the event. */
  readonly event: Uint8Array;
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
  /** Called before the next messages: messages after this position were deleted before the receiver got them. */
  missing: (after: string) => void;
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
  /** Everything up to this number was sent to it, or is not for it. So is everything that was delivered, if it is live and not due. */
  position: number;
  started: () => void;
  /** Undefined while it catches up. */
  swarms: ReadonlySet<string> | undefined;
  /** It was told that messages up to this number are missing, or it began without a position. */
  toldUpTo: number;
  /** Its rights may have changed since they were read. */
  isChanged: boolean;
  hasEnded: boolean;
}

/** A turn of a receiver that catches up. */
interface Turn {
  /** In deliveries. */
  cost: number;
}

interface Watcher {
  /** A message of its swarm was delivered. */
  note: () => void;
  isChanged: boolean;
}

export type MessageHub = ReturnType<typeof createMessageHub>;

export function createMessageHub(options: {
  messages: Messages;
  feed: Pick<ChangeFeed, 'subscribe' | 'readCommitted'>;
  onCommit: (subscriber: () => Promise<void>) => () => void;
  /** What is delivered to the receivers of each user. */
  deliveries: Budget;
  report: (error: unknown) => void;
}) {
  const { messages, feed, onCommit, deliveries, report } = options;
  const receivers = new Set<Receiver>();
  /** Those that are not live. */
  const catchingUp = new Set<Receiver>();
  const byDevice = new SetsByKey<Receiver>();
  const byKey = new SetsByKey<Receiver>();
  const byUser = new SetsByKey<Receiver>();
  const bySwarm = new SetsByKey<Receiver>();
  const watchers = new SetsByKey<Watcher>();
  let watching = 0;
  /** Reads messages while somebody receives them. */
  let starting: Promise<void> | undefined;
  /** Rows of this process. They are not read again, unless another process has sent some before them. */
  let waiting: MessageRow[] = [];
  /** What was read, and is delivered when the feed was read. */
  let next: Sent[] = [];
  /** What was delivered. Everything after `recentFrom`, up to `done`, is in it. */
  let recent: Sent[] = [];
  let recentBytes = 0;
  let recentFrom = 0;
  let done = 0;
  /** Live receivers that have not got everything of it. */
  const due = new Set<Receiver>();
  let isUnread = false;
  let isDelivering = false;
  let isStopped = false;
  let isAway = false;
  let sliceEndsAt = 0;
  let nextSlice: Promise<void> | undefined;
  const formed = new WeakMap<MessageRow, Outgoing>();
  /** What receivers and watchers read. The database has more connections, for other requests. */
  const reads = createFairQueue({ mostWaiting: Infinity, atOnce: 4 });

  function outgoing(row: MessageRow): Outgoing {
    const known = formed.get(row);
    if (known) return known;
    const id = messages.positionOf(lastOf(row));
    const json = messages.jsonOf(row);
    const head = `id: ${id}\ndata: `;
    const event = Buffer.from(`${head}${json}\n\n`);
    const made = { row, id, json, event, line: event.subarray(head.length, -1) };
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
      done = recentFrom = Math.max(done, await messages.newest());
      next = [];
      recent = [];
      recentBytes = 0;
    })().catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    return starting;
  }

  function stopIfIdle() {
    if (receivers.size === 0 && watching === 0) starting = undefined;
  }

  messages.onSent((rows) => {
    if (starting && waiting.length < waitingAtMost) waiting = waiting.concat(rows);
    else isUnread = true;
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
    }),
  ];

  function noteEntry({ kind, owner, resource_id, swarm_id, record_id }: FeedRow) {
    if (kind === 'resource.destroyed') forgetSent(resource_id!);
    if (kind === 'membership.changed' || kind === 'resource.destroyed')
      for (const each of byDevice.of(resource_id!)) changed(each);
    else if (kind === 'swarm.destroyed') for (const each of Array.from(bySwarm.of(swarm_id!))) changed(each);
    else if (kind === 'key.changed' || kind === 'account.ended')
      for (const each of record_id === null ? byUser.of(owner!) : byKey.of(record_id)) changed(each);
    // Who catches up is in no swarm, and may have read that it is in this one.
    if (kind === 'swarm.destroyed' || kind === 'account.ended') for (const each of catchingUp) each.isChanged = true;
    if (swarm_id !== null) for (const each of watchers.of(swarm_id)) each.isChanged = true;
  }

  /** The messages of a sender that does not exist any more are deleted, also from memory. */
  function forgetSent(sender: string) {
    for (const rows of [waiting, ...[...next, ...recent].map((sent) => sent.rows)])
      for (const row of rows) if (row.sender_id === sender) row.to_id = nobody;
  }

  /** The rights of a receiver may have changed: from now on it gets only what it may receive then. */
  function changed(receiver: Receiver) {
    receiver.isChanged = true;
    if (receiver.swarms) catchUpSoon(receiver);
  }

  function positionOf(receiver: Receiver): number {
    return receiver.swarms && !due.has(receiver) ? Math.max(receiver.position, done) : receiver.position;
  }

  function catchUpSoon(receiver: Receiver) {
    receiver.position = positionOf(receiver);
    leave(receiver);
    void catchUp(receiver);
  }

  function leave(receiver: Receiver) {
    due.delete(receiver);
    for (const swarm of receiver.swarms ?? []) bySwarm.remove(swarm, receiver);
    receiver.swarms = undefined;
    catchingUp.add(receiver);
  }

  async function catchUp(receiver: Receiver) {
    while (!receiver.hasEnded && !isStopped) {
      try {
        // First: nobody else would stop what is started for one that has ended.
        await start();
        await receiver.ready();
        const { userId: user } = receiver;
        await deliveries.turn(user, readAtOnce);
        const turn: Turn = { cost: deliveryCosts.atRead };
        try {
          if (await reads.run({ user }, () => receiver.hasEnded || readMissed(receiver, turn))) return;
        } finally {
          deliveries.correct(user, turn.cost - readAtOnce);
        }
      } catch (error) {
        if (isStopped || receiver.hasEnded) return;
        receiver.failed(error);
        if (error instanceof Problem) return;
        reportOnce(error);
        await sleep(retryMs);
      }
    }
  }

  /** Sends a part of what it has missed. Returns true if the rest is in memory: then it is live. */
  async function readMissed(receiver: Receiver, turn: Turn): Promise<boolean> {
    const { userId, resourceId: id } = receiver;
    // Another process may be ahead. A number that no message has is of another database.
    if (receiver.position > done && receiver.position > (await messages.newest())) receiver.position = 0;
    // These were sent before its rights are read.
    const [after, upTo] = [receiver.position, done];
    receiver.isChanged = false;
    await receiver.recheckAccess();
    const swarms = await messages.receivedBy({ userId, id });
    isAway = false;
    if (!swarms) throw new Problem('resource.not_found');
    if (receiver.isChanged || receiver.hasEnded) return false;
    if (after >= recentFrom) {
      goLive(receiver, swarms, turn);
      return true;
    }
    const first = await messages.firstAfter({ swarms, after });
    if (first === undefined || first > upTo) {
      if (await tellMissing(receiver, swarms)) return false;
      receiver.position = Math.max(after, upTo);
      return false;
    }
    let end = Math.min(first + readAtOnce - 1, upTo);
    let rows = await messages.received({ id, swarms, after: first - 1, upTo: end });
    // One message may have more rows.
    if (rows[0] && lastOf(rows[0]) > end) {
      end = lastOf(rows[0]);
      rows = await messages.received({ id, swarms, after: first - 1, upTo: end });
    }
    if (await tellMissing(receiver, swarms)) return false;
    if (receiver.isChanged || receiver.hasEnded) return false;
    // The rest of the last message may be beyond the end.
    const missed = sentOf(rows).filter(({ last }) => last <= end);
    while (missed.length > 0) {
      const part = takePart(missed, missedAtOnce);
      receiver.position = part.at(-1)!.last;
      for (const { rows: some } of part) turn.cost += costOf(some[0]!);
      if (!receiver.send(part.map((sent) => outgoing(sent.rows.at(-1)!)))) return false;
    }
    if (rows.length === 0 || lastOf(rows.at(-1)!) <= end) receiver.position = end;
    return false;
  }

  /**
   * Tells a receiver that messages after its position were deleted. Returns true if that was new: then what was read before may
   * have some of them, and is read again.
   */
  async function tellMissing(receiver: Receiver, swarms: readonly string[]): Promise<boolean> {
    const missing = await messages.newestMissing({ id: receiver.resourceId, swarms });
    if (missing <= Math.max(receiver.position, receiver.toldUpTo)) return false;
    if (receiver.isChanged || receiver.hasEnded) return true;
    receiver.toldUpTo = missing;
    // Who begins with the oldest message has missed nothing yet.
    if (receiver.position > 0) receiver.missing(messages.positionOf(receiver.position));
    return true;
  }

  function goLive(receiver: Receiver, swarms: readonly string[], turn: Turn) {
    receiver.swarms = new Set(swarms);
    catchingUp.delete(receiver);
    for (const swarm of swarms) bySwarm.add(swarm, receiver);
    due.add(receiver);
    // It has had its turn.
    sendRecent(receiver, (cost) => {
      turn.cost += cost;
      return true;
    });
    if (due.has(receiver)) void sendDue().catch(report);
  }

  /** To receivers that become due meanwhile, too. */
  async function sendDue() {
    for (const receiver of due) {
      sendRecent(receiver, (cost) => deliveries.spend(receiver.userId, cost));
      if (performance.now() >= sliceEndsAt) await yieldIfDue();
    }
  }

  /** Sends what it has not got of the messages in memory, in one write. If that is much, the rest is due. */
  function sendRecent(receiver: Receiver, spend: (cost: number) => boolean) {
    if (receiver.position < recentFrom) return catchUpSoon(receiver);
    const sent: Outgoing[] = [];
    let [bytes, cost] = [0, 0];
    let at = recent.findLastIndex(({ last }) => last <= receiver.position) + 1;
    for (; at < recent.length && bytes < deliveredAtOnce; at++) {
      const row = recent[at]!.rows.findLast((each) => isFor(receiver, each));
      if (!row) continue;
      sent.push(outgoing(row));
      bytes += row.payload.length + headBytes;
      cost += costOf(row);
    }
    if (cost > 0 && !spend(cost)) return catchUpSoon(receiver);
    receiver.position = Math.max(receiver.position, recent[at - 1]?.last ?? 0);
    due.delete(receiver);
    if (at < recent.length) due.add(receiver);
    if (sent.length > 0 && !receiver.send(sent)) return catchUpSoon(receiver);
    if (!due.has(receiver)) receiver.started();
    return undefined;
  }

  const isFor = ({ resourceId, swarms }: Receiver, { swarm_id, sender_id, to_id }: MessageRow) =>
    swarms!.has(swarm_id) && sender_id !== resourceId && (to_id === null || to_id === resourceId);

  function deliverSoon() {
    if (!isStopped && !isDelivering) void deliverAll();
  }

  async function deliverAll() {
    isDelivering = true;
    while ((isUnread || waiting.length > 0) && !isStopped && starting) {
      try {
        await starting;
        next = sentOf(await readNext());
        if (next.length > 0) await feed.readCommitted();
        isAway = false;
        while (next.length > 0) {
          deliver();
          await sendDue();
        }
      } catch (error) {
        if (!isStopped) reportOnce(error);
        isUnread = true;
        await sleep(retryMs);
      }
    }
    isDelivering = false;
  }

  /** The rows after those that were delivered. */
  async function readNext(): Promise<MessageRow[]> {
    const rows = waiting.filter(({ seq }) => seq > done);
    waiting = [];
    if (rows.length > 0 && rows[0]!.seq === done + 1 && rows.at(-1)!.seq === done + rows.length) return rows;
    isUnread = false;
    const read = await messages.since(done);
    isUnread ||= read.length > 0;
    return read;
  }

  /** Moves some of the next messages to the recent ones. Those who receive them are due. */
  function deliver() {
    const before = done;
    const targets = new Map<string, Iterable<Receiver>>();
    for (let bytes = 0; next.length > 0 && bytes < deliveredAtOnce;) {
      const sent = next.shift()!;
      // It may have begun anew meanwhile.
      if (sent.last <= done) continue;
      bytes += sent.bytes + headBytes;
      recent.push(sent);
      recentBytes += sent.bytes;
      done = sent.last;
      for (const { swarm_id, to_id } of sent.rows) {
        targets.set(to_id ?? swarm_id, to_id === null ? bySwarm.of(swarm_id) : byDevice.of(to_id));
        for (const watcher of watchers.of(swarm_id)) watcher.note();
      }
    }
    for (const some of targets.values()) {
      for (const receiver of some) {
        if (!receiver.swarms || due.has(receiver)) continue;
        receiver.position = Math.max(receiver.position, before);
        due.add(receiver);
      }
    }
    // Not the newest one: all of its receivers would read it.
    while (recent.length > recentAtMost.messages || (recent.length > 1 && recentBytes > recentAtMost.bytes)) {
      const oldest = recent.shift()!;
      recentBytes -= oldest.bytes;
      recentFrom = oldest.last;
    }
  }

  return {
    /** All messages that are sent from now on are after it. */
    async newestPosition() {
      await start();
      stopIfIdle();
      return messages.positionOf(done);
    },

    /** Sends what the device may receive, until `end` is called. `started` resolves when it has got what it has missed. */
    receive(given: ReceiverOptions) {
      const begun = Promise.withResolvers<void>();
      const { after, userId, keyId, resourceId } = given;
      const receiver: Receiver = {
        ...given,
        position: messages.seqOf(after),
        swarms: undefined,
        toldUpTo: 0,
        isChanged: false,
        hasEnded: false,
        started: begun.resolve,
      };
      receivers.add(receiver);
      catchingUp.add(receiver);
      byDevice.add(resourceId, receiver);
      byKey.add(keyId, receiver);
      byUser.add(userId, receiver);
      void catchUp(receiver);
      return {
        started: begun.promise,
        /** Where the client resumes. */
        position: () => messages.positionOf(positionOf(receiver)),
        end() {
          if (receiver.hasEnded) return;
          receiver.hasEnded = true;
          receivers.delete(receiver);
          byDevice.remove(resourceId, receiver);
          byKey.remove(keyId, receiver);
          byUser.remove(userId, receiver);
          leave(receiver);
          catchingUp.delete(receiver);
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
      userId: string;
      swarmId: string;
      read: (between: { since: string; before: string }) => Promise<Item[]>;
      ready: () => Promise<void>;
      send: (news: { items: Item[]; count: number }) => void;
    }): { started: Promise<void>; end: () => void } {
      const { userId, swarmId, read, ready, send } = watched;
      const begun = Promise.withResolvers<void>();
      let noted = Promise.withResolvers<void>();
      let hasEnded = false;
      let count = 0;
      const watcher: Watcher = {
        isChanged: false,
        note() {
          count += 1;
          noted.resolve();
        },
      };
      async function run() {
        /** Undefined until the first read. */
        let position: number | undefined;
        while (!hasEnded && !isStopped) {
          noted = Promise.withResolvers();
          try {
            await start();
            await ready();
            const [upTo, counted] = [done, count];
            watcher.isChanged = false;
            const between = { since: messages.positionOf(position ?? upTo), before: messages.positionOf(upTo + 1) };
            const items = await reads.run({ user: userId }, () => read(between));
            isAway = false;
            if (hasEnded) return;
            if (!watcher.isChanged) {
              // The client has read its list before the first position.
              if (items.length > 0 || position === undefined) send({ items, count: counted });
              position = upTo;
              count -= counted;
            }
          } catch (error) {
            // Who may not read the swarm costs no more than the first read.
            if (error instanceof Problem) return end();
            reportOnce(error);
          }
          begun.resolve();
          await sleep(flushEveryMs);
          if (count === 0 && position !== undefined) await noted.promise;
        }
      }
      function end() {
        if (hasEnded) return;
        hasEnded = true;
        watching -= 1;
        watchers.remove(swarmId, watcher);
        begun.resolve();
        stopIfIdle();
      }
      watching += 1;
      watchers.add(swarmId, watcher);
      void run();
      return { started: begun.promise, end };
    },

    /** The devices with an open stream, or a request that waits. */
    receiving: () => byDevice.keys(),

    /** Receivers that wait because their users have spent their budgets of deliveries. */
    waitingForBudget: () => deliveries.waiting(),

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

const costOf = ({ payload }: MessageRow) => Math.ceil((payload.length + 1) / deliveryCosts.bytes);

/** Takes the first messages, up to so many bytes or one. */
function takePart(messages: Sent[], bytesAtMost: number): Sent[] {
  let bytes = 0;
  const more = messages.findIndex((sent, index) => (bytes += sent.bytes + headBytes) > bytesAtMost && index > 0);
  return messages.splice(0, more === -1 ? messages.length : more);
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
