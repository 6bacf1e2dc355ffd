/** Resources as GeoJSON and CSV: the schemas of GeoJSON, and the parts of a long file. */
import { z } from '@hono/zod-openapi';
import { resource, type Resource } from '../../contract.ts';
import { deviceFiles, type DeviceFormat } from '../../device-files/device-export.ts';

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

/** The parts of a file, each of which has a chunk of the resources. */
export async function* fileParts({
  chunks,
  format,
}: {
  chunks: AsyncIterable<Resource[]>;
  format: DeviceFormat;
}): AsyncGenerator<string, void> {
  const { start, between, end, write } = deviceFiles[format];
  yield start;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield (isFirst ? '' : between) + chunk.map(write).join(between);
    isFirst = false;
  }
  yield end;
}
