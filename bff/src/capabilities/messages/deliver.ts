/**
 * Passes messages that are on disk to the memory of the hub, from where receivers are sent them (receive.ts): those of this process as
 * they were written, those of other processes as they are read.
 *
 * The feed is read before messages are delivered: rights that ended before a message was sent have ended here too, whichever
 * process ended them.
 */
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import { sleepBeforeRetry, type HubContext } from './hub-context.ts';
import { headBytes } from './message-json.ts';
import { sendDue } from './receive.ts';
import type { Receiver } from './receivers.ts';
import { messagesOf, type RecentMessage } from './recent-messages.ts';
import type { Watchers } from './watch.ts';

/** In bytes: messages that are delivered together. */
const deliveredAtOnce = 64 * 1024;
/** Rows of this process that wait for their delivery. If more wait, all are read from the database instead. */
const queuedAtMost = 1000;
/** The receiver of a message in memory that was deleted: no device has this id. */
const nobody = '';

export function createDelivery(deps: { hub: HubContext; watchers: Watchers; readFeed: ChangeFeed['readCommitted'] }) {
  const { hub, watchers, readFeed } = deps;
  const { messages, recent, outage } = hub;
  /** Rows of this process. They are not read again, unless another process has sent some before them. */
  let queue: MessageRow[] = [];
  /** Messages that are delivered after the next read of the feed. */
  let next: RecentMessage[] = [];
  /** Statements of this process that are being written. */
  let writing = 0;
  let isUnread = false;
  let isDelivering = false;

  function deliverSoon() {
    if (!hub.isStopped && !isDelivering) void deliverAll();
  }

  async function deliverAll() {
    isDelivering = true;
    while ((isUnread || queue.length > 0) && !hub.isStopped && recent.isStarted()) {
      try {
        await recent.start();
        next = messagesOf(await readNext());
        if (next.length > 0) await readFeed();
        outage.succeeded();
        while (next.length > 0) {
          moveToRecent(hub, watchers, next);
          await sendDue(hub);
        }
      } catch (error) {
        if (!hub.isStopped) outage.failed(error);
        isUnread = true;
        await sleepBeforeRetry();
      }
    }
    isDelivering = false;
  }

  /** The rows after those that were delivered. */
  async function readNext(): Promise<MessageRow[]> {
    const { upTo } = recent;
    const rows = queue.filter(({ seq }) => seq > upTo);
    queue = [];
    if (rows.length > 0 && rows[0]!.seq === upTo + 1 && rows.at(-1)!.seq === upTo + rows.length) return rows;
    isUnread = false;
    const read = await messages.since(upTo);
    isUnread ||= read.length > 0;
    return read;
  }

  return {
    /** Delivers the rows of a statement of this process when they are on disk, before it resolves with them. */
    async deliver(written: Promise<MessageRow[]>): Promise<MessageRow[]> {
      let rows: MessageRow[] = [];
      writing += 1;
      try {
        rows = await written;
        return rows;
      } finally {
        writing -= 1;
        if (recent.isStarted() && queue.length < queuedAtMost) queue = queue.concat(rows);
        else isUnread = true;
        deliverSoon();
      }
    },
    /** Something was committed, perhaps by another process. */
    onCommit(): void {
      isUnread = true;
      // `deliver` will have the rows of this process, which need not be read.
      if (writing === 0) deliverSoon();
    },
    /**
     * The messages of and to a device that does not exist any more, or has another owner, are deleted, also from memory. Those that it has
     * sent for its new owner, or was sent then, may be there already.
     */
    forget({ device, owner }: { device: string; owner: string }): void {
      const isOf = ({ sender_id, user_id, to_id, to_user }: MessageRow) =>
        (sender_id === device && (user_id ?? owner) === owner) || (to_id === device && (to_user ?? owner) === owner);
      for (const rows of [queue, ...[...next, ...recent.messages].map((message) => message.rows)])
        for (const row of rows) if (isOf(row)) row.to_id = nobody;
    },
  };
}

/** Moves some of the next messages to the recent ones. Those who receive them are due. */
function moveToRecent({ recent, receivers }: HubContext, watchers: Watchers, next: RecentMessage[]): void {
  const before = recent.upTo;
  const targets = new Map<string, Iterable<Receiver>>();
  for (let bytes = 0; next.length > 0 && bytes < deliveredAtOnce;) {
    const message = next.shift()!;
    // The memory may have been stopped, and started again after this message.
    if (message.last <= recent.upTo) continue;
    bytes += message.size + headBytes;
    recent.add(message);
    for (const { swarm_id, to_id } of message.rows) {
      targets.set(to_id ?? swarm_id, to_id === null ? receivers.bySwarm.of(swarm_id) : receivers.byDevice.of(to_id));
      for (const watcher of watchers.of(swarm_id)) watcher.notify();
    }
  }
  for (const reached of targets.values()) {
    for (const receiver of reached) {
      if (!receiver.swarms || receivers.due.has(receiver)) continue;
      receiver.cursor = Math.max(receiver.cursor, before);
      receivers.due.add(receiver);
    }
  }
  recent.dropOldest(receivers.due.size > 0);
}
