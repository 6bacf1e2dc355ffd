/** The values of messages, of rows of `messages` in the order of their numbers. */
import type { KeptValues } from '../../contract.ts';
import { valuesIn, type ValuesAt } from './payload-values.ts';

/** A row of a message, which has one for each of its swarms. The payload is in one of them at least. */
export interface MessageValueRow {
  id: string;
  swarm_id: string;
  sent_at: string;
  payload: string | null;
}

interface MessageValues extends ValuesAt {
  /** In ms. */
  sentAt: number;
  swarms: string[];
}

/**
 * The values of the messages of one device. `rows`: in the order of their numbers. Times before `since` (in ms) are left out, and so are messages
 * without a value. `timesSince` (in ms): when the device has gone on with its own times. What it sent before has the times of its messages.
 */
export function valuesOfMessages(
  rows: readonly MessageValueRow[],
  { keeps, since, timesSince }: { keeps: KeptValues; since: number; timesSince: number | null },
): MessageValues[] {
  const found: MessageValues[] = [];
  for (let from = 0; from < rows.length;) {
    const { id, sent_at } = rows[from]!;
    let to = from;
    let payload: string | null = null;
    while (to < rows.length && rows[to]!.id === id) payload = rows[to++]!.payload ?? payload;
    const ofMessage = rows.slice(from, to);
    from = to;
    const sentAt = Date.parse(sent_at);
    if (payload === null || sentAt < since) continue;
    const byTime = keeps === 'time' && sentAt >= (timesSince ?? since);
    const least = byTime ? Math.max(since, timesSince ?? since) : since;
    const values = valuesIn(JSON.parse(payload), { sentAt, byTime });
    if (!values || values.at < least) continue;
    found.push({ ...values, sentAt, swarms: ofMessage.map(({ swarm_id }) => swarm_id).toSorted() });
  }
  return found;
}

/** Since when the reader sees what went to these swarms; Infinity: never. */
export function sinceOfSwarms(
  { swarms }: { swarms?: readonly { id: string; since: number }[] | undefined },
  sentTo: readonly string[],
): number {
  if (!swarms) return -Infinity;
  return swarms.reduce((least, { id, since }) => (sentTo.includes(id) ? Math.min(least, since) : least), Infinity);
}
