/** The devices that receive messages now, by all that may end or change their rights. */
import type { MessageProperties } from '../../contract.ts';
import { SetsByKey } from '../../core/limits/bounded-map.ts';
import type { Problem } from '../../core/problem.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import type { SwarmEnds } from './messages.store.ts';

/** A message, with the forms in which it is sent. */
export interface Outgoing {
  readonly row: MessageRow;
  /** Its cursor, for clients that resume. */
  readonly id: string;
  readonly properties: MessageProperties | undefined;
  /** The time in ms from which it is not delivered any more, so many seconds after it was sent. Undefined: it does not expire. */
  readonly expiry: { readonly at: number; readonly seconds: number } | undefined;
  /** The bytes for an event stream, shared by its receivers. `line` and `json` are parts of them. */
  readonly event: Uint8Array;
  readonly line: Uint8Array;
  readonly json: Uint8Array;
}

/** A message of which no form can be made, because what is stored of it is damaged. */
interface UnreadableMessage {
  readonly row: MessageRow;
  readonly isUnreadable: true;
}
export type MessageForm = Outgoing | UnreadableMessage;

/** What a door (receive-responses.ts, mqtt/deliveries.ts) gives for its client. */
export interface ReceiverOptions {
  userId: string;
  keyId: string;
  resourceId: string;
  /** A cursor, after which it receives. */
  after: string;
  /** Called before the next messages: messages after this cursor were deleted before the receiver got them, or one cannot be read. */
  missing: (after: string) => void;
  /** Returns false if the client cannot take more now. Then `ready` resolves when it can. A message that it cannot send must not cost the others. */
  send: (messages: readonly Outgoing[]) => boolean;
  ready: () => Promise<void>;
  /** @throws a Problem if the key or the session has ended */
  recheckAccess: () => Promise<void> | void;
  /** It gets nothing more: its right to receive has ended, or it cannot be sent anything (`server.failed`). */
  ended: (problem: Problem) => void;
  /** What it has missed cannot be read now. It is tried again. */
  away?: (error: unknown) => void;
  /** The server stops. Not needed for a stream, which its owner closes (http/event-streams.ts). */
  stopped?: () => void;
}

export interface Receiver extends ReceiverOptions {
  /** Everything up to this number was sent to it, or is not for it. So is everything that was delivered, if it is live and not due. */
  cursor: number;
  started: () => void;
  /** Undefined while it catches up. It gets nothing that was sent at the end of a membership or later, also before the membership is deleted. */
  swarms: SwarmEnds | undefined;
  /** What it has read of its rights while it catches up. Undefined while they are read. */
  rights: SwarmEnds | undefined;
  /** It was notified that messages up to this number are missing, or it began without a cursor. */
  notifiedUpTo: number;
  /** Its rights may have changed since they were read. */
  isChanged: boolean;
  hasEnded: boolean;
}

export type Receivers = ReturnType<typeof createReceivers>;

export function createReceivers() {
  const all = new Set<Receiver>();
  /** Receivers that are not live: they still read what they have missed. */
  const catchingUp = new Set<Receiver>();
  /** Live ones that have not got everything of the messages in memory. */
  const due = new Set<Receiver>();
  const byDevice = new SetsByKey<Receiver>();
  const byKey = new SetsByKey<Receiver>();
  const byUser = new SetsByKey<Receiver>();
  /** Live ones only. */
  const bySwarm = new SetsByKey<Receiver>();

  function leaveSwarms(receiver: Receiver) {
    due.delete(receiver);
    for (const swarm of receiver.swarms?.keys() ?? []) bySwarm.remove(swarm, receiver);
    receiver.swarms = undefined;
  }

  return {
    all,
    catchingUp,
    due,
    byDevice,
    byKey,
    byUser,
    bySwarm,
    /** Adds a receiver, which first reads what it has missed. */
    add(receiver: Receiver): void {
      all.add(receiver);
      catchingUp.add(receiver);
      byDevice.add(receiver.resourceId, receiver);
      byKey.add(receiver.keyId, receiver);
      byUser.add(receiver.userId, receiver);
    },
    remove(receiver: Receiver): void {
      all.delete(receiver);
      byDevice.remove(receiver.resourceId, receiver);
      byKey.remove(receiver.keyId, receiver);
      byUser.remove(receiver.userId, receiver);
      leaveSwarms(receiver);
      catchingUp.delete(receiver);
    },
    /** The receiver has what it has missed. From now on it gets the messages of these swarms from memory. */
    goLive(receiver: Receiver, swarms: SwarmEnds): void {
      receiver.swarms = swarms;
      for (const swarm of swarms.keys()) bySwarm.add(swarm, receiver);
      catchingUp.delete(receiver);
      due.add(receiver);
    },
    catchUp(receiver: Receiver): void {
      leaveSwarms(receiver);
      catchingUp.add(receiver);
    },
  };
}
