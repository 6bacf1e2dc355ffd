import { z } from '@hono/zod-openapi';
import { trackLimits } from './limits.ts';
import { timestamp } from '../../core/contract/fields.schema.ts';
import { position, resource } from '../../core/contract/resources.schema.ts';

export const track = z
  .strictObject({
    points: z.array(z.strictObject({ at: timestamp, ...position.shape })).max(trackLimits.points),
  })
  .openapi('Track', { description: 'Oldest first. Coordinates have five decimals' });

const coordinates = z.array(z.number()).min(2).max(2);
const line = z.array(coordinates).min(2);
const times = z.array(timestamp);
export const trackFeature = z
  .strictObject({
    type: z.literal('Feature'),
    id: resource.shape.id,
    geometry: z
      .union([
        z.strictObject({ type: z.literal('LineString'), coordinates: line }),
        z.strictObject({ type: z.literal('MultiLineString'), coordinates: z.array(line).min(2) }),
        z.strictObject({ type: z.literal('Point'), coordinates }),
      ])
      .nullable()
      .openapi({
        description: 'A point if there is one position, null if there is none. Cut where it crosses the antimeridian',
      }),
    properties: z.strictObject({
      name: resource.shape.name,
      coordinateProperties: z.strictObject({
        times: z.union([times, z.array(times)]).openapi({ description: 'One for each position' }),
      }),
    }),
  })
  .openapi('TrackFeature', { description: 'GeoJSON (RFC 7946)' });

export type Track = z.infer<typeof track>;
export type TrackPoint = Track['points'][number];
export type TrackFeature = z.infer<typeof trackFeature>;
