/** The newest messages, in memory: live receivers are sent what they have not got of them. */
import type { MessageRow } from '../../store/row-types.ts';
import { lastOf, sizeOf } from './message-json.ts';

const atMost = { messages: 500, bytes: 1024 * 1024 };

/** All rows of a message. */
export interface Sent {
  rows: MessageRow[];
  last: number;
  bytes: number;
}

/** The messages of rows in their order. */
export function messagesOf(rows: readonly MessageRow[]): Sent[] {
  const all: Sent[] = [];
  for (const row of rows) {
    const before = all.at(-1);
    if (before?.last === lastOf(row)) {
      before.rows.push(row);
      before.bytes += sizeOf(row);
    } else all.push({ rows: [row], last: lastOf(row), bytes: sizeOf(row) });
  }
  return all;
}

export type RecentMessages = ReturnType<typeof createRecentMessages>;

/** `newest`: reads the number of the newest message. Nothing is kept while nobody receives. */
export function createRecentMessages(newest: () => Promise<number>) {
  let starting: Promise<void> | undefined;
  let bytes = 0;
  const recent = {
    /** Everything after `from`, up to `upTo`, is in it. */
    sent: [] as Sent[],
    from: 0,
    upTo: 0,

    /** Begins with the newest message, unless it runs already. */
    start(): Promise<void> {
      starting ??= (async () => {
        recent.upTo = recent.from = Math.max(recent.upTo, await newest());
        recent.sent = [];
        bytes = 0;
      })().catch((error: unknown) => {
        starting = undefined;
        throw error;
      });
      return starting;
    },
    isStarted: () => starting !== undefined,
    stop: () => void (starting = undefined),

    add(sent: Sent): void {
      recent.sent.push(sent);
      bytes += sent.bytes;
      recent.upTo = sent.last;
    },
    /** Keeps the newest message at any size: otherwise each of its receivers would read it from the database. */
    dropOldest(): void {
      while (recent.sent.length > atMost.messages || (recent.sent.length > 1 && bytes > atMost.bytes)) {
        const oldest = recent.sent.shift()!;
        bytes -= oldest.bytes;
        recent.from = oldest.last;
      }
    },
  };
  return recent;
}
