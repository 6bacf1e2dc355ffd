/** The newest messages, in memory: live receivers are sent what they have not got of them. */
import type { MessageRow } from '../../core/store/row-types.ts';
import { headBytes, lastOf, sizeOf } from './message-json.ts';
import type { MessageForm } from './receivers.ts';

/** `bytesWhileDue`: as long as receivers are due, each of which would read from the database what is dropped. `messages`: always. */
const atMost = { messages: 500, bytes: 1024 * 1024, bytesWhileDue: 4 * 1024 * 1024 };

/** All rows of a message, which share its payload. */
export interface RecentMessage {
  rows: MessageRow[];
  last: number;
  /** What its sender has chosen, in bytes. */
  size: number;
  /** The forms in which rows were sent. */
  forms: Map<MessageRow, MessageForm>;
}

/** What a message takes in memory: its payload, once for itself and once for each form. */
const memoryBytes = ({ rows, size, forms }: RecentMessage) => size * (1 + forms.size) + rows.length * headBytes;

/** The messages of rows in their order. */
export function messagesOf(rows: readonly MessageRow[]): RecentMessage[] {
  const messages: RecentMessage[] = [];
  for (const row of rows) {
    const before = messages.at(-1);
    if (before?.last === lastOf(row)) {
      // The database has the payload once for each row.
      ({ payload: row.payload, properties: row.properties } = before.rows[0]!);
      before.rows.push(row);
    } else messages.push({ rows: [row], last: lastOf(row), size: sizeOf(row), forms: new Map() });
  }
  return messages;
}

export type RecentMessages = ReturnType<typeof createRecentMessages>;

/** `newest`: reads the number of the newest message. The memory is empty while nobody receives. */
export function createRecentMessages(newest: () => Promise<number>) {
  let starting: Promise<void> | undefined;
  const recent = {
    /** Everything after `from`, up to `upTo`, is in it. */
    messages: [] as RecentMessage[],
    from: 0,
    upTo: 0,

    /** Begins with the newest message, unless it runs already. */
    start(): Promise<void> {
      starting ??= (async () => {
        recent.upTo = recent.from = Math.max(recent.upTo, await newest());
        recent.messages = [];
      })().catch((error: unknown) => {
        starting = undefined;
        throw error;
      });
      return starting;
    },
    isStarted: () => starting !== undefined,
    stop: () => void (starting = undefined),

    add(message: RecentMessage): void {
      recent.messages.push(message);
      recent.upTo = message.last;
    },
    /**
     * After messages or forms were added. Keeps the newest message at any size: otherwise each of its receivers would read it from the
     * database. `isDue`: some receivers have not got all of them yet.
     */
    dropOldest(isDue: boolean): void {
      const bytesAtMost = isDue ? atMost.bytesWhileDue : atMost.bytes;
      let bytes = recent.messages.reduce((sum, message) => sum + memoryBytes(message), 0);
      while (recent.messages.length > atMost.messages || (recent.messages.length > 1 && bytes > bytesAtMost)) {
        const oldest = recent.messages.shift()!;
        bytes -= memoryBytes(oldest);
        recent.from = oldest.last;
      }
    },
  };
  return recent;
}
