import type { GatewayEvent } from '../contract.ts';
import type { EventStream } from '../http/event-streams.ts';

/** A map that somebody looks at. */
interface WatchedMap {
  audience: string;
  stream: EventStream;
}

interface ChangedMaps {
  /** It has changed: its stream is told now, or, where that was told less than 200 ms ago, later. */
  note(map: WatchedMap): void;
  /** Nobody looks any more. */
  forget(map: WatchedMap): void;
}

const everyMs = 200;
/** So much longer what waits may wait: an event that comes meanwhile takes it along, and two writes are one. */
const spareMs = 60;

/** Tells browsers `map.changed`, five times a second at most; `newest` is the id of the newest event. */
export function createChangedMaps({ newest, now }: { newest: () => string; now: () => Date }): ChangedMaps {
  const toldAt = new WeakMap<WatchedMap, number>();
  const waiting = new Set<WatchedMap>();
  let timer: NodeJS.Timeout | undefined;

  function tell(map: WatchedMap, at: number) {
    waiting.delete(map);
    toldAt.set(map, at);
    const { audience, stream } = map;
    const id = newest();
    const event: GatewayEvent = { id, type: 'map.changed', at: now().toISOString(), data: { audience, version: id } };
    stream.send(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  function tellDue(sinceMs: number, maps: Iterable<WatchedMap>) {
    const at = performance.now();
    for (const map of maps) if (at - (toldAt.get(map) ?? -Infinity) >= sinceMs) tell(map, at);
    if (waiting.size > 0) timer ??= setTimeout(sweep, spareMs);
  }

  function sweep() {
    timer = undefined;
    tellDue(everyMs + spareMs, waiting);
  }

  return {
    note(map) {
      waiting.add(map);
      tellDue(everyMs, [map]);
    },
    forget: (map) => void waiting.delete(map),
  };
}
