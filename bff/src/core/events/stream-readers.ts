/** The open streams, and what is sent to them. */
import type { SetsByKey } from '../limits/bounded-map.ts';
import { resumeLimits } from '../limits/part-limits.ts';
import type { Recipients } from './recipients.store.ts';
import { joined, type Batch } from './stream-batches.ts';

export interface Reader {
  send: (batch: Batch) => void;
  /** Entries up to this number are not sent live: they were sent as missed, or are in the lists that the client fetches. */
  from: number;
  /** The last batch of this client, because a user may see one record in several swarms. */
  last: Batch | undefined;
  /** New batches while the missed events are read, which come first; undefined if there are none. */
  buffered: BufferedBatches | undefined;
}

export interface BufferedBatches {
  batches: Batch[];
  bytes: number;
}

/** By user. */
export type Readers = SetsByKey<Reader>;

/** A user who may see a record in several swarms gets it once. What fails for one reader is reported. */
export function sendToAll(
  readers: Readers,
  batch: Batch,
  { recipients: { users, swarms }, report }: { recipients: Recipients; report: (error: unknown) => void },
): void {
  for (const names of [users, ...swarms.values()]) {
    for (const user of names) {
      for (const reader of readers.of(user)) {
        if (reader.last === batch) continue;
        reader.last = batch;
        try {
          sendTo(reader, batch);
        } catch (error) {
          report(error);
        }
      }
    }
  }
}

/** Leaves out what the client has been sent as missed. */
export function sendTo(reader: Reader, batch: Batch): void {
  const events = batch.events.filter(({ seq }) => seq > reader.from);
  if (events.length === batch.events.length) sendOrBuffer(reader, batch);
  else if (events.length > 0) sendOrBuffer(reader, { ...batch, ...joined(events) });
}

function sendOrBuffer({ send, buffered }: Reader, batch: Batch): void {
  if (!buffered) return send(batch);
  buffered.bytes += batch.bytes.length;
  if (buffered.bytes <= resumeLimits.heldBytes) buffered.batches.push(batch);
  // The client gets a reset instead.
  else buffered.batches.length = 0;
}
