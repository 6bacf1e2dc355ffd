import { z } from '@hono/zod-openapi';
import { track, trackFeature, type Resource, type TrackFeature, type TrackPoint } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import { trackLimits } from '../limits/field-rules.ts';
import { endpointsOf, notStored, type ServiceApp } from './endpoint.ts';
import { json, pathIds } from './openapi.ts';
import type { RouteDependencies } from './route-dependencies.ts';
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
  { tracks, resources }: { tracks: Tracks } & Pick<RouteDependencies, 'resources'>,
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
        '`keep_track`. Other users see those since the resource and they are in the same swarm. A position is kept if ' +
        `it comes at least ${trackLimits.apart} s after the last one, and is either ${trackLimits.metres} m away from it, ` +
        `or different from it and ${trackLimits.seconds} s later.`,
      params: pathIds('resource_id'),
      query,
      responses: {
        200: { description: 'The track', content: { ...json(track), [geoJson]: { schema: trackFeature } } },
      },
      fails: [404],
    },
    async (c, { userId, params: { resource_id: id }, query: read, reply }) => {
      const { format = 'json' } = read();
      const { record } = await resources.require({ userId, id, operation: 'getTrack' });
      const points = await tracks.read({ id, requester: { user: userId, signal: c.req.raw.signal } });
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
  const coordinates = points.map(({ longitude, latitude }) => [longitude, latitude]);
  const [first] = coordinates;
  const times = points.map(({ at }) => at);
  return {
    type: 'Feature',
    id,
    geometry:
      first === undefined
        ? null
        : coordinates.length === 1
          ? { type: 'Point', coordinates: first }
          : { type: 'LineString', coordinates },
    properties: { name, coordinateProperties: { times } },
  };
}
