import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Bbox } from './filters.ts';
import { createMapIndex } from './map-index.ts';
import type { DeviceColumns, MapIndex } from './map-index.ts';

/** Each column as the bytes of a JSON array: they cross threads as they are, and the event loop parses nothing. */
export type ColumnTexts = { [column in keyof DeviceColumns]: Uint8Array };

/** `state` counts the states of the database; of each key the newest that was read is kept. */
export type MapRequest = { key: string; state: number } & ({ columns: ColumnTexts } | { bbox: Bbox; zoom: number });

/** A MapView as JSON; null: nothing so new is loaded under that key. */
export type MapReply = string | null;

/** Over all that is kept, some 300 bytes each. */
const mostDevices = 500_000;
/** What an index weighs however few devices it has. */
const leastWeight = 100;

interface Kept {
  state: number;
  index: MapIndex;
  weight: number;
}
const indexes = new Map<string, Kept>();
let weight = 0;

function answer(request: MapRequest): MapReply {
  const { key, state } = request;
  const kept = indexes.get(key);
  if (kept && kept.state >= state) {
    keep(key, kept);
    return 'columns' in request ? null : JSON.stringify(kept.index.view(request));
  }
  if ('columns' in request) keep(key, load({ state, texts: request.columns }));
  return null;
}

/** The least recently used goes first. */
function keep(key: string, kept: Kept) {
  drop(key);
  for (const oldest of indexes.keys()) {
    if (weight + kept.weight <= mostDevices) break;
    drop(oldest);
  }
  indexes.set(key, kept);
  weight += kept.weight;
}

function drop(key: string) {
  weight -= indexes.get(key)?.weight ?? 0;
  indexes.delete(key);
}

function load({ state, texts }: { state: number; texts: ColumnTexts }): Kept {
  const hash = createHash('sha256');
  const utf8 = new TextDecoder();
  const read = Object.entries(texts).map(([column, text]) => {
    hash.update(text);
    return [column, JSON.parse(utf8.decode(text))];
  });
  const columns: DeviceColumns = Object.fromEntries(read);
  const version = hash.digest('base64url').slice(0, 16);
  return { state, index: createMapIndex({ columns, version }), weight: columns.id.length + leastWeight };
}

parentPort?.on('message', (request: MapRequest) => parentPort?.postMessage(answer(request)));
