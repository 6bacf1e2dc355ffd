/** What a client has missed: the entries after its cursor, read again for its user. */
import type { ChangeFeed } from '../feed/change-feed.ts';
import { resumeLimits } from '../limits/part-limits.ts';
import type { FeedRow } from '../store/row-types.ts';
import type { EventBuilder, RecordEvent } from './event-builder.store.ts';
import { streamEvent, type StreamEvent } from './stream-batches.ts';

/** Entries of all users that are read at once for a client that resumes, and those whose events are made at once. */
const pageOfMissed = 1000;
const missedAtOnce = 50;

interface Source {
  feed: Pick<ChangeFeed, 'since'>;
  records: EventBuilder;
  idOf: (seq: number) => string;
}

/**
 * The events of a user after `after`, up to the first entry that the reader gets as a new event; undefined if they are too many, if
 * one is a `reset`, or if entries are purged. Of the moves of a resource, only the last one is sent.
 */
export async function* missedBy(
  source: Source,
  { user, after, upTo }: { user: string; after: number; upTo: number },
): AsyncGenerator<void, StreamEvent[] | undefined> {
  const events = new Map<string, StreamEvent>();
  let size = 0;
  let cursor = after;
  while (cursor < upTo) {
    const page = await source.feed.since(cursor, pageOfMissed);
    if (!page || cursor - after > resumeLimits.entries) return undefined;
    const entries = lastMoves(page.filter(({ seq }) => seq <= upTo));
    for (let from = 0; from < entries.length; from += missedAtOnce) {
      for (const event of await eventsFor(source, user, entries.slice(from, from + missedAtOnce))) {
        const key = event.isMove ? `move ${event.resourceId}` : String(event.seq);
        size += event.bytes.length - (events.get(key)?.bytes.length ?? 0);
        events.delete(key);
        events.set(key, event);
        if (size > resumeLimits.bytes || events.size > resumeLimits.events || event.type === 'reset') return undefined;
      }
      yield;
    }
    cursor = page.at(-1)?.seq ?? upTo;
  }
  return [...events.values()];
}

async function eventsFor({ records, idOf }: Source, user: string, entries: readonly FeedRow[]): Promise<StreamEvent[]> {
  const events: RecordEvent[] = [];
  let left: readonly FeedRow[] = await records.seenBy(user, entries);
  while (left.length > 0) {
    const read = await records.read(left, new Set([user]));
    events.push(...read.events);
    left = read.left;
  }
  return events.toSorted((a, b) => a.seq - b.seq).map((event) => streamEvent(idOf, event, event.seq));
}

/** Keeps only the last move of each resource, because all of them would have its newest position. */
function lastMoves(entries: readonly FeedRow[]): FeedRow[] {
  const last = new Map(entries.map(({ resource_id, seq, kind }) => [kind.startsWith('resource.') && resource_id, seq]));
  return entries.filter(({ seq, kind, resource_id }) => kind !== 'resource.moved' || last.get(resource_id) === seq);
}
