/** Messages that wait to be written, which several share one statement for. Their users take turns. */
import type { MessageEncoding } from '../../contract.ts';
import type { MessageRow } from '../../store/row-types.ts';

/** What one statement writes: messages, their rows, and the bytes of their payloads and properties in all rows. A message that has more is alone. */
const sentAtOnce = { messages: 200, rows: 2000, size: 1024 * 1024 };

/** A message as the statement gets it. */
export interface SentMessage {
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

export interface WaitingMessage {
  sent: SentMessage;
  /** The owner of the device. */
  user: string;
  /** Swarms that take no more messages now. */
  full: readonly string[];
  /** How many rows it probably has, and the bytes of its payload and properties in all of them. */
  rows: number;
  size: number;
  resolve: (rows: MessageRow[]) => void;
  reject: (error: unknown) => void;
}

export function createWaitingMessages() {
  /** By user: the next one first. */
  const byUser = new Map<string, WaitingMessage[]>();
  /** The last statement was one message that is larger than others together may be. */
  let wasLarge = false;

  /** The next message of a user, who is the last one then. */
  function takeOf(user: string): WaitingMessage {
    const ofUser = byUser.get(user)!;
    const message = ofUser.shift()!;
    byUser.delete(user);
    if (ofUser.length > 0) byUser.set(user, ofUser);
    return message;
  }

  /** Users whose next message does not fit are the first ones of the next statement. */
  function takeFitting(): WaitingMessage[] {
    const batch: WaitingMessage[] = [];
    let [rows, size] = [0, 0];
    // A user who has had a turn comes again at the end.
    for (const [user, [next]] of byUser) {
      if (rows + next!.rows > sentAtOnce.rows || size + next!.size > sentAtOnce.size) continue;
      rows += next!.rows;
      size += next!.size;
      if (batch.push(takeOf(user)) === sentAtOnce.messages) break;
    }
    return batch;
  }

  return {
    isEmpty: () => byUser.size === 0,
    add(message: WaitingMessage) {
      const ofUser = byUser.get(message.user);
      if (ofUser) ofUser.push(message);
      else byUser.set(message.user, [message]);
    },
    /** The messages of the next statement. A large one is alone, and between two of them come those that wait meanwhile. */
    take(): WaitingMessage[] {
      const [first] = byUser.values().next().value!;
      let batch = first!.size > sentAtOnce.size && !wasLarge ? [] : takeFitting();
      wasLarge = batch.length === 0;
      if (wasLarge) batch = [takeOf(first!.user)];
      return batch;
    },
  };
}
