/** Resources as GeoJSON and CSV: the schemas of GeoJSON, and the parts of a long file. */
import { z } from '@hono/zod-openapi';
import { resource } from '../../contract.ts';
import type { BodyChunk } from '../http/streamed-body.ts';
import type { BytesChunk } from '../endpoint/list-chunks.ts';
import { resourceFormats, type ResourceFormat } from './resource-chunk.shape.ts';

export const feature = z
  .strictObject({
    type: z.literal('Feature'),
    id: resource.shape.id,
    geometry: z
      .strictObject({
        type: z.literal('Point'),
        coordinates: z
          .array(z.number())
          .min(2)
          .max(2)
          .openapi({ description: 'Longitude and latitude', example: [8.13, 54.18] }),
      })
      .nullable()
      .openapi({ description: 'null for a resource without a position' }),
    properties: resource
      .omit({ id: true, user_id: true, position: true, created_at: true, modified_at: true })
      .extend({ changed_at: resource.shape.created_at.openapi({ description: 'The time of the last change' }) }),
  })
  .openapi('ResourceFeature');
export const featureCollection = z
  .strictObject({ type: z.literal('FeatureCollection'), features: z.array(feature) })
  .openapi('ResourceFeatureCollection', { description: 'GeoJSON (RFC 7946)' });

/** The parts of a file with these resources. */
export async function* fileChunks({
  format,
  chunks,
}: {
  format: ResourceFormat;
  chunks: AsyncIterable<BodyChunk>;
}): AsyncGenerator<BodyChunk, void> {
  const { start, end } = resourceFormats[format];
  yield start;
  yield* chunks;
  yield end;
}

/** The parts of chunks that each begin with a separator. */
export async function* chunksOf(
  chunks: AsyncIterable<BytesChunk>,
  format: ResourceFormat,
): AsyncGenerator<BodyChunk, void> {
  let skipped = resourceFormats[format].between.length;
  for await (const { bytes, rows } of chunks) {
    if (rows === 0) continue;
    yield bytes.subarray(skipped);
    skipped = 0;
  }
}
