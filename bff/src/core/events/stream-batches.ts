/** Events as they are written to streams. */
import type { RecordEvent } from './event-builder.store.ts';
import type { Recipients } from './recipients.store.ts';

export interface StreamEvent extends Pick<RecordEvent, 'seq' | 'type' | 'resourceId' | 'owner' | 'isMove'> {
  /** The output of the batch. */
  bytes: Uint8Array;
}

export interface Batch {
  events: readonly StreamEvent[];
  bytes: Uint8Array;
  /** The user may see these records as a member of that swarm. */
  seenIn(swarmId: string, user: string): boolean;
}

/** `idOf`: the event's id, which is the cursor of a client too. `upTo`: the cursor of a client that has this event. */
export function streamEvent(
  idOf: (seq: number) => string,
  { seq, type, at, data, ...event }: Omit<RecordEvent, 'recipients'>,
  upTo: number,
): StreamEvent {
  const envelope = `{"id":"${idOf(seq)}","type":"${type}","at":"${at}","data":${data}}`;
  return { ...event, seq, type, bytes: Buffer.from(`id: ${idOf(upTo)}\ndata: ${envelope}\n\n`) };
}

export function batchOf(events: StreamEvent[], { swarms }: Recipients): Batch {
  const sets = new Map<string, Set<string>>();
  return {
    ...joined(events),
    seenIn(swarmId, user) {
      const viewers = swarms.get(swarmId);
      if (!viewers) return false;
      const set = sets.get(swarmId) ?? new Set(viewers);
      sets.set(swarmId, set);
      return set.has(user);
    },
  };
}

export function joined(events: StreamEvent[]): Pick<Batch, 'events' | 'bytes'> {
  return { events, bytes: events.length === 1 ? events[0]!.bytes : Buffer.concat(events.map(({ bytes }) => bytes)) };
}

/** Consecutive events for the same users are one write. */
export function runsWithSameRecipients(events: readonly RecordEvent[]): [RecordEvent, ...RecordEvent[]][] {
  const runs: [RecordEvent, ...RecordEvent[]][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last && haveSameRecipients(last[0].recipients, event.recipients)) last.push(event);
    else runs.push([event]);
  }
  return runs;
}

function haveSameRecipients(one: Recipients, other: Recipients): boolean {
  const isSame = (a: readonly string[] = [], b: readonly string[] = []) =>
    a === b || (a.length === b.length && a.every((user, index) => user === b[index]));
  if (one.swarms.size !== other.swarms.size || !isSame(one.users, other.users)) return false;
  return [...one.swarms].every(([id, viewers]) => other.swarms.has(id) && isSame(viewers, other.swarms.get(id)));
}
