import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Bbox } from './filters.ts';
import { createMapIndex } from './map-index.ts';
import type { DeviceColumns, MapIndex } from './map-index.ts';

/** Each column as the bytes of a JSON array: they cross threads as they are, and the event loop parses nothing. */
export type ColumnTexts = Record<keyof DeviceColumns, Uint8Array>;

/** `state` counts the states of the database; of each key the newest that was read is kept. */
export type MapRequest = { key: string; state: number } & ({ columns: ColumnTexts } | { bbox: Bbox; zoom: number });

/** A MapView as JSON; null: nothing so new is loaded under that key. */
export type MapReply = string | null;

const keptIndexes = 8;
const indexes = new Map<string, { state: number; index: MapIndex }>();

function answer(request: MapRequest): MapReply {
  const { key, state } = request;
  const kept = indexes.get(key);
  if (kept && kept.state >= state) {
    keep(key, kept);
    return 'columns' in request ? null : JSON.stringify(kept.index.view(request));
  }
  if ('columns' in request) keep(key, { state, index: load(request.columns) });
  return null;
}

/** The least recently used goes first. */
function keep(key: string, entry: { state: number; index: MapIndex }) {
  indexes.delete(key);
  indexes.set(key, entry);
  if (indexes.size > keptIndexes) indexes.delete(indexes.keys().next().value!);
}

function load(texts: ColumnTexts): MapIndex {
  const hash = createHash('sha256');
  const utf8 = new TextDecoder();
  const columns = Object.entries(texts).map(([column, text]) => {
    hash.update(text);
    return [column, JSON.parse(utf8.decode(text))];
  });
  const version = hash.digest('base64url').slice(0, 16);
  return createMapIndex({ columns: Object.fromEntries(columns), version });
}

parentPort?.on('message', (request: MapRequest) => parentPort?.postMessage(answer(request)));
