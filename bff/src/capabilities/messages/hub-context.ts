/** What the modules of the hub share (messages.hub.ts): deliver.ts, receive.ts and watch.ts. */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { MessageProperties } from '../../contract.ts';
import { BoundedMap } from '../../core/limits/bounded-map.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { FairQueue } from '../../core/limits/fair-queue.ts';
import type { Outage } from '../../core/limits/outage.ts';
import { messagesMemory } from './limits.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import { lastOf, type MessageCursors } from './message-json.ts';
import type { MessageReads } from './messages.store.ts';
import type { MessageForm, Outgoing, Receivers } from './receivers.ts';
import type { RecentMessages } from './recent-messages.ts';

/** In ms: how long deliveries run before other work does. A tick of the event loop costs 0.03. */
const sliceMs = 0.5;
/** In ms: the wait after a failure of the database. */
const retryMs = 500;

export interface HubContext {
  messages: MessageReads;
  cursors: MessageCursors;
  receivers: Receivers;
  recent: RecentMessages;
  outgoingOf: (row: MessageRow) => MessageForm;
  secondsLeft: (message: Outgoing) => number | undefined;
  /** What receivers and watchers read, users in turn. The database has more connections, for other requests. */
  reads: FairQueue;
  /** What is delivered to the receivers of each user. */
  deliveries: Budget;
  slices: Slices;
  outage: Outage;
  report: (error: unknown) => void;
  /** The server stops. */
  isStopped: boolean;
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
export const sleepBeforeRetry = () => sleep(retryMs);

/** Makes the form of a message in which its receivers get it. Reports once why one cannot be read, however many receive it. */
export function createOutgoing(
  cursors: MessageCursors,
  report: (error: unknown) => void,
): (row: MessageRow) => MessageForm {
  const reported = new BoundedMap<number, true>(messagesMemory.unreadable_messages.most);
  return (row) => {
    try {
      return outgoingOf(cursors, row);
    } catch (error) {
      if (!reported.has(lastOf(row))) report(error);
      reported.set(lastOf(row), true);
      return { row, isUnreadable: true };
    }
  };
}

function outgoingOf({ cursorOf, jsonOf }: MessageCursors, row: MessageRow): Outgoing {
  const id = cursorOf(lastOf(row));
  const head = `id: ${id}\ndata: `;
  const event = Buffer.from(`${head}${jsonOf(row)}\n\n`);
  const properties = row.properties === null ? undefined : (JSON.parse(row.properties) as MessageProperties);
  return {
    row,
    id,
    properties,
    expiry: expiryOf(row, properties),
    event,
    line: event.subarray(head.length, -1),
    json: event.subarray(head.length, -2),
  };
}

function expiryOf({ sent_at }: MessageRow, properties: MessageProperties | undefined): Outgoing['expiry'] {
  const seconds = properties?.message_expiry_interval;
  return seconds === undefined ? undefined : { at: Date.parse(sent_at) + seconds * 1000, seconds };
}

/** Returns for how many seconds more a message may be delivered: 0 if it has expired, undefined if it never does. */
export const createSecondsLeft =
  (now: () => Date) =>
  ({ expiry }: Pick<Outgoing, 'expiry'>): number | undefined => {
    if (!expiry) return undefined;
    const left = Math.ceil((expiry.at - now().getTime()) / 1000);
    // The clock of the process that has stored it may be ahead.
    return Math.min(expiry.seconds, Math.max(0, left));
  };

type Slices = ReturnType<typeof createSlices>;

/** Deliveries to all receivers share slices of time, between which other work runs. */
export function createSlices() {
  let endsAt = 0;
  let next: Promise<void> | undefined;
  return {
    isOver: () => performance.now() >= endsAt,
    /** Waits until other work has run. */
    async yieldIfOver(): Promise<void> {
      while (performance.now() >= endsAt) {
        next ??= nextLoopTick().then(() => {
          next = undefined;
          endsAt = performance.now() + sliceMs;
        });
        await next;
      }
    },
  };
}
