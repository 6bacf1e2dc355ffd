/** Messages that wait to be written, several by one statement. Their users take turns. */
import type { MessageEncoding } from '../../contract.ts';
import type { MessageRow } from '../../core/store/row-types.ts';

/** What one statement writes at most: messages, their rows, and the bytes of their payloads and properties in all rows. A message that has more is alone. */
const mostInStatement = { messages: 200, rows: 2000, bytes: 1024 * 1024 };

/** A message as the statement gets it. */
export interface NewMessage {
  id: string;
  sender_id: string;
  /** Who sends it: nobody sends for a device that was handed over meanwhile. */
  user_id: string;
  /** Null: all swarms of the sender. */
  swarm_id: string | null;
  to_id: string | null;
  payload: string;
  encoding: MessageEncoding | null;
  properties?: string;
  /** The client has given its id. */
  is_named: 0 | 1;
}

/** A request to send a message, until the message is written. */
export interface WaitingMessage {
  message: NewMessage;
  /** Swarms that take no more messages now. */
  fullSwarms: readonly string[];
  /** How many rows it probably has, and the bytes of its payload and properties in all of them. */
  rowCount: number;
  bytes: number;
  resolve: (rows: MessageRow[]) => void;
  reject: (error: unknown) => void;
}

export function createWaitingMessages() {
  /** By user, the next message first. The users who are first have waited longest for a turn. */
  const byUser = new Map<string, WaitingMessage[]>();
  /** The last statement was one message, larger than several may be together. */
  let wasLarge = false;

  /** Takes the next message of a user. The user is the last one then. */
  function takeNext(user: string): WaitingMessage {
    const messages = byUser.get(user)!;
    const message = messages.shift()!;
    byUser.delete(user);
    if (messages.length > 0) byUser.set(user, messages);
    return message;
  }

  /** Takes a message of each user in turn. Users whose message does not fit are the first ones of the next statement. */
  function takeFitting(): WaitingMessage[] {
    const batch: WaitingMessage[] = [];
    let [rows, bytes] = [0, 0];
    // A user who has had a turn comes again at the end.
    for (const [user, [next]] of byUser) {
      if (rows + next!.rowCount > mostInStatement.rows || bytes + next!.bytes > mostInStatement.bytes) continue;
      rows += next!.rowCount;
      bytes += next!.bytes;
      if (batch.push(takeNext(user)) === mostInStatement.messages) break;
    }
    return batch;
  }

  return {
    isEmpty: () => byUser.size === 0,
    add(waiting: WaitingMessage) {
      const user = waiting.message.user_id;
      const messages = byUser.get(user);
      if (messages) messages.push(waiting);
      else byUser.set(user, [waiting]);
    },
    /** Takes the messages of the next statement. A large one is alone, and other messages come between two large ones. */
    take(): WaitingMessage[] {
      const [next] = byUser.values().next().value!;
      let batch = next!.bytes > mostInStatement.bytes && !wasLarge ? [] : takeFitting();
      wasLarge = batch.length === 0;
      if (wasLarge) batch = [takeNext(next!.message.user_id)];
      return batch;
    },
  };
}
