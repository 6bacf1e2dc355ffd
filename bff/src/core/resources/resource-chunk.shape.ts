/** Resources as JSON, CSV or GeoJSON, made where they are read. */
import { deviceFiles, type DeviceFormat } from './device-export.ts';
import { resourceOf, type RecordRow } from '../store/resource-fields.ts';
import { defineShape } from '../store/shape.ts';
import { bytesChunkOf, type ChunkFormat } from '../endpoint/list-chunks.ts';

export type ResourceFormat = DeviceFormat | 'json';
export type ChunkRow = RecordRow & { ref: number };

/** A file is `start`, the resources with `between` them, and `end`. */
export const resourceFormats: Record<
  ResourceFormat,
  Pick<(typeof deviceFiles)[DeviceFormat], 'start' | 'between' | 'end' | 'write'>
> = { ...deviceFiles, json: { start: '[', between: ',', end: ']', write: JSON.stringify } };

export function chunkFormatOf(format: ResourceFormat): ChunkFormat<ChunkRow> {
  const { write, between } = resourceFormats[format];
  return {
    keyOf: ({ created_at, ref }) => [created_at, ref],
    textOf: (rows) => rows.map((row) => write(resourceOf(row))).join(between),
    between,
  };
}

/** A chunk of a long list. */
export const resourceChunk = defineShape(
  new URL('./resource-chunk.shape.ts', import.meta.url),
  'resourceChunk',
  (rows: readonly ChunkRow[], { format }: { format: ResourceFormat }) => [bytesChunkOf(rows, chunkFormatOf(format))],
);
