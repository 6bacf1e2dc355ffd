/** Messages: what producers send, the consumers of their swarms receive. Joins the parts; `send` and `receive` begin here. */
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { FairQueue } from '../../core/limits/fair-queue.ts';
import type { Quotas } from '../../core/limits/quotas.ts';
import type { Database } from '../../core/store/database.ts';
import type { UnreadMessages } from './delete.store.ts';
import { createMessageCursors } from './message-json.ts';
import { createMessageHub } from './messages.hub.ts';
import { createMessageReads } from './messages.store.ts';
import { createSending, type MessageRates } from './send.store.ts';
import { createSenders } from './senders.store.ts';
import { createTotalBytes } from './total-bytes.store.ts';
import { createTrimming } from './trim.store.ts';

export type Messages = ReturnType<typeof createMessages>;

export function createMessages(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'name' | 'subscribe' | 'readCommitted'>;
  /** For the reader thread. */
  queue: FairQueue;
  quotas: Pick<Quotas, 'swarms'>;
  /** In bytes: what the messages of all users may have. Infinity for no limit. */
  bytesOfAll: number;
  rates: MessageRates;
  deliveries: Budget;
  unread: UnreadMessages;
  now: () => Date;
  newId: () => string;
  report: (error: unknown) => void;
}) {
  const { db, feed, queue, quotas, bytesOfAll, rates, deliveries, unread, now, newId, report } = options;
  const cursors = createMessageCursors(feed.name);
  const reads = createMessageReads({ db, queue, cursors });
  /** The rows of this process are delivered when they are written (`deliver`). */
  const onUnknownCommit = (subscriber: () => void) =>
    db.onCommit(async () => (db.newestEntry() === undefined ? subscriber() : undefined));
  const hub = createMessageHub({ messages: reads, cursors, feed, onUnknownCommit, deliveries, now, report });
  const senders = createSenders({ db, feed });
  const trimming = createTrimming({ db, feed, queue, quotas, unread, now, report });
  const totalBytes = createTotalBytes({ db, most: bytesOfAll, now, trimTo: trimming.trimTo });
  const { deliver, ...receiving } = hub;
  const { send } = createSending({ db, senders, totalBytes, trimming, rates, deliver, now, newId, report });

  return {
    ...cursors,
    ...reads,
    ...receiving,
    send,
    /** The bytes of all users' messages. */
    bytes: totalBytes.read,
    /** Whether the device is the user's. @throws `resource.not_found` */
    isSenderOf: async ({ userId, id }: { userId: string; id: string }) => (await senders.find(id)).userId === userId,
    purge: trimming.purge,
    async close() {
      hub.stop();
      senders.close();
      await trimming.close();
    },
  };
}
