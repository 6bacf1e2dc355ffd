import { z } from '@hono/zod-openapi';
import type { Resource, TrackFeature, TrackPoint } from '../../contract.ts';
import { track, trackFeature } from './tracks.schema.ts';
import { Problem } from '../../core/problem.ts';
import { trackLimits } from './limits.ts';
import { endpointsOf, notStored } from '../../core/endpoint/endpoint.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { json, pathIds } from '../../core/endpoint/openapi.ts';
import type { Stores } from '../../core/stores.ts';
import type { Tracks } from './tracks.store.ts';

const geoJson = 'application/geo+json';
const query = z.object({
  format: z
    .enum(['json', 'geojson'])
    .optional()
    .openapi({ default: 'json', param: { description: 'The format of the response' } }),
});

/** Extension: where a device was. */
export function trackRoutes(
  app: ServiceApp,
  { tracks, resources }: Pick<Stores, 'resources'> & { tracks: Tracks },
): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });
  endpoint(
    {
      operation: 'getTrack',
      method: 'get',
      path: '/resources/{resource_id}/track',
      summary: 'Get the track of a resource',
      description:
        `The last ${trackLimits.points} positions of at most ${trackLimits.days} days, since its owner has switched on ` +
        '`keep_track`, beginning with the position of then, in the order of their own times. Other users see those since the resource and they are in the same swarm. A position is kept if ' +
        `it is at least ${trackLimits.apart} s after the last one, and is either ${trackLimits.metres} m away from it, ` +
        `or different from it and ${trackLimits.seconds} s later.`,
      params: pathIds('resource_id'),
      query,
      responses: {
        200: { description: 'The track', content: { ...json(track), [geoJson]: { schema: trackFeature } } },
      },
      fails: [404],
    },
    async (c, { userId, requester, params: { resource_id: id }, query: read, reply }) => {
      const { format = 'json' } = read();
      const { record } = await resources.require({ userId, id, operation: 'getTrack' });
      const points = await tracks.read({ id, requester });
      if (!points) throw new Problem('resource.not_found');
      if (format === 'json') return reply({ points });
      return c.body(JSON.stringify(featureOf(record, points)), 200, {
        'content-type': geoJson,
        'content-disposition': 'attachment; filename="track.geojson"',
        ...notStored,
      });
    },
  );
}

function featureOf({ id, name }: Resource, points: readonly TrackPoint[]): TrackFeature {
  const lines = linesOf(points).map((line) => ({
    coordinates: line.map(({ longitude, latitude }) => [longitude, latitude]),
    times: line.map(({ at }) => at),
  }));
  const [first] = lines;
  const point = points.length === 1 ? first?.coordinates[0] : undefined;
  return {
    type: 'Feature',
    id,
    geometry:
      first === undefined
        ? null
        : point
          ? { type: 'Point', coordinates: point }
          : lines.length === 1
            ? { type: 'LineString', coordinates: first.coordinates }
            : { type: 'MultiLineString', coordinates: lines.map(({ coordinates }) => coordinates) },
    properties: {
      name,
      coordinateProperties: { times: lines.length > 1 ? lines.map(({ times }) => times) : (first?.times ?? []) },
    },
  };
}

/** Cuts a track at the antimeridian, as RFC 7946 requires. Both parts end there, at a point between those of the track. */
function linesOf(points: readonly TrackPoint[]): TrackPoint[][] {
  const lines: TrackPoint[][] = [];
  let before: TrackPoint | undefined;
  for (const point of points) {
    if (before && Math.abs(point.longitude - before.longitude) > 180) {
      const edge = 180 * Math.sign(before.longitude);
      // The quotient is not a number if both are on the antimeridian.
      const part = (edge - before.longitude) / (point.longitude + 2 * edge - before.longitude) || 0;
      const [start, end] = [Date.parse(before.at), Date.parse(point.at)];
      const crossing = {
        at: new Date(Math.round(start + part * (end - start))).toISOString(),
        latitude: Number((before.latitude + part * (point.latitude - before.latitude)).toFixed(5)),
      };
      lines.at(-1)!.push({ ...crossing, longitude: edge });
      lines.push([{ ...crossing, longitude: -edge }]);
    }
    if (before) lines.at(-1)!.push(point);
    else lines.push([point]);
    before = point;
  }
  return lines;
}
