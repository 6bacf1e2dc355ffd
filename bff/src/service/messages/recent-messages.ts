/** The newest messages, in memory: live receivers are sent what they have not got of them. */
import type { MessageRow } from '../../store/row-types.ts';
import { headBytes, lastOf, sizeOf } from './message-json.ts';
import type { MessageForm } from './receivers.ts';

/** `bytesWhileDue`: as long as receivers are due, each of which would read from the database what is dropped. `messages`: always. */
const atMost = { messages: 500, bytes: 1024 * 1024, bytesWhileDue: 4 * 1024 * 1024 };

/** All rows of a message, which share its payload. */
export interface Sent {
  rows: MessageRow[];
  last: number;
  /** What its sender has chosen, in bytes. */
  size: number;
  /** The rows that were sent to receivers, as they were sent. */
  forms: Map<MessageRow, MessageForm>;
}

/** What a message takes in memory: its payload, once for itself and once for each form. */
const bytesOf = ({ rows, size, forms }: Sent) => size * (1 + forms.size) + rows.length * headBytes;

/** The messages of rows in their order. */
export function messagesOf(rows: readonly MessageRow[]): Sent[] {
  const all: Sent[] = [];
  for (const row of rows) {
    const before = all.at(-1);
    if (before?.last === lastOf(row)) {
      // The database has it once for each row.
      ({ payload: row.payload, properties: row.properties } = before.rows[0]!);
      before.rows.push(row);
    } else all.push({ rows: [row], last: lastOf(row), size: sizeOf(row), forms: new Map() });
  }
  return all;
}

export type RecentMessages = ReturnType<typeof createRecentMessages>;

/** `newest`: reads the number of the newest message. Nothing is kept while nobody receives. */
export function createRecentMessages(newest: () => Promise<number>) {
  let starting: Promise<void> | undefined;
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
      recent.upTo = sent.last;
    },
    /**
     * After messages or forms were added. Keeps the newest message at any size: otherwise each of its receivers would read it from the
     * database. `isDue`: some receivers have not got all of them yet.
     */
    dropOldest(isDue: boolean): void {
      const bytesAtMost = isDue ? atMost.bytesWhileDue : atMost.bytes;
      let bytes = recent.sent.reduce((sum, sent) => sum + bytesOf(sent), 0);
      while (recent.sent.length > atMost.messages || (recent.sent.length > 1 && bytes > bytesAtMost)) {
        const oldest = recent.sent.shift()!;
        bytes -= bytesOf(oldest);
        recent.from = oldest.last;
      }
    },
  };
  return recent;
}
