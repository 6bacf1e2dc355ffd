/** What the messages of devices say, of rows of `messages` in the order of their numbers. */
import type { KeptValues } from '../../contract.ts';
import { valuesIn, type SaidValues } from './payload-values.ts';

/** A row of a message, which has one for each of its swarms. The payload is in one of them at least. */
export interface SaidRow {
  seq: number;
  id: string;
  swarm_id: string;
  sent_at: string;
  payload: string | null;
}

export interface Said extends SaidValues {
  /** Of its last row. */
  seq: number;
  /** In ms. */
  sentAt: number;
  swarms: string[];
}

/**
 * The values of the messages of one device. `rows`: in the order of their numbers. Times before `since` (in ms) are left out, and so are messages
 * without a value.
 */
export function saidIn(rows: readonly SaidRow[], options: { keeps: KeptValues; since: number }): Said[] {
  const { keeps, since } = options;
  const all: Said[] = [];
  for (let from = 0; from < rows.length;) {
    const { id, sent_at } = rows[from]!;
    let to = from;
    let payload: string | null = null;
    while (to < rows.length && rows[to]!.id === id) payload = rows[to++]!.payload ?? payload;
    const ofMessage = rows.slice(from, to);
    from = to;
    const sentAt = Date.parse(sent_at);
    if (payload === null || sentAt < since) continue;
    const said = valuesIn(JSON.parse(payload), { sentAt, byTime: keeps === 'time' });
    if (!said || said.at < since) continue;
    all.push({
      ...said,
      sentAt,
      seq: ofMessage.at(-1)!.seq,
      swarms: ofMessage.map(({ swarm_id }) => swarm_id).toSorted(),
    });
  }
  return all;
}
