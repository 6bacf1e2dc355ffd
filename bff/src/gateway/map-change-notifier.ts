import type { GatewayEvent } from '../contract.ts';
import type { EventStream } from '../http/event-streams.ts';

/** A watched map of a stream. */
interface WatchedMap {
  audience: string;
  stream: EventStream;
}

const everyMs = 200;
/** Extra delay, so that a pending change can be sent in one write with the next event. */
const spareMs = 60;

/** Sends `map.changed` to browsers, at most five times a second; `newest` is the id of the newest event. */
export function createMapChangeNotifier({ newest, now }: { newest: () => string; now: () => Date }) {
  const sentAt = new WeakMap<WatchedMap, number>();
  const waiting = new Set<WatchedMap>();
  let timer: NodeJS.Timeout | undefined;

  function send(map: WatchedMap, at: number) {
    waiting.delete(map);
    sentAt.set(map, at);
    const { audience, stream } = map;
    const id = newest();
    const event: GatewayEvent = { id, type: 'map.changed', at: now().toISOString(), data: { audience, version: id } };
    // Without `id:`, because events before the newest change may not have been sent yet: the client's position stays.
    stream.send(`data: ${JSON.stringify(event)}\n\n`);
  }

  function sendDue(sinceMs: number, maps: Iterable<WatchedMap>) {
    const at = performance.now();
    for (const map of maps) if (at - (sentAt.get(map) ?? -Infinity) >= sinceMs) send(map, at);
    if (waiting.size > 0) timer ??= setTimeout(sweep, spareMs);
  }

  function sweep() {
    timer = undefined;
    sendDue(everyMs + spareMs, waiting);
  }

  return {
    /** The map has changed: its stream is notified now, or at most 200 ms after the last notification. */
    note(map: WatchedMap) {
      waiting.add(map);
      sendDue(everyMs, [map]);
    },
    /** The map is no longer watched. */
    forget: (map: WatchedMap) => void waiting.delete(map),
  };
}
