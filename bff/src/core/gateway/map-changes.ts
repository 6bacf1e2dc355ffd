import type { EventType } from '../../contract.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import type { EventStream } from '../http/event-streams.ts';
import { lineOf, type EventBatch } from './event-lines.ts';

/** A watched map of a stream. */
interface WatchedMap {
  audience: string;
  stream: EventStream;
}

/** A map is reported at most this often. */
const everyMs = 200;
/** Extra delay, so that a pending change can be sent in one write with the next event. */
const spareMs = 60;

/** Sends `map.changed` to browsers, at most five times a second. */
export function createMapChangeNotifier({ feed, now }: { feed: Pick<ChangeFeed, 'newestId'>; now: () => Date }) {
  const sentAt = new WeakMap<WatchedMap, number>();
  const queue = new Set<WatchedMap>();
  let timer: NodeJS.Timeout | undefined;

  function send(map: WatchedMap, at: number, resumed?: true) {
    queue.delete(map);
    sentAt.set(map, at);
    const { audience, stream } = map;
    const id = feed.newestId();
    const data = { audience, version: id, ...(resumed && { resumed }) };
    stream.send(lineOf({ id, type: 'map.changed', at: now().toISOString(), data }));
  }

  function sendDue(sinceMs: number, maps: Iterable<WatchedMap>) {
    const at = performance.now();
    for (const map of maps) if (at - (sentAt.get(map) ?? -Infinity) >= sinceMs) send(map, at);
    if (queue.size > 0) timer ??= setTimeout(sweep, spareMs);
  }

  function sweep() {
    timer = undefined;
    sendDue(everyMs + spareMs, queue);
  }

  return {
    /** The map has changed: its stream is notified now, or at most 200 ms after the last notification. */
    add(map: WatchedMap) {
      queue.add(map);
      sendDue(everyMs, [map]);
    },
    /** The map may have changed before the stream was opened. */
    resume: (map: WatchedMap) => send(map, performance.now(), true),
    /** The map is no longer watched. */
    forget: (map: WatchedMap) => void queue.delete(map),
  };
}

/** Whether a map of this audience may have changed with these events. */
export function changesMap({ audience, batch, user }: { audience: string; batch: EventBatch; user: string }): boolean {
  const ofMap = batch.events.filter(({ type }) => /^(resource|presence)\./.test(type) || endsOrBegins.has(type));
  if (ofMap.length === 0) return false;
  if (audience === 'visible') return true;
  if (audience === 'own') return ofMap.some(({ owner, type }) => owner === user || endsOrBegins.has(type));
  return batch.seenIn(audience.slice('swarm:'.length), user);
}

/** The members of a swarm are a filter of the map. */
const endsOrBegins: ReadonlySet<string> = new Set<EventType>(['membership.changed', 'swarm.destroyed']);
