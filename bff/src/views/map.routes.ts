import type { Context, Hono } from 'hono';
import { readMapQuery } from './filters.ts';
import type { MapStore } from './map.store.ts';

/**
 * `GET /map`: a MapView. Query: `zoom` 0 to 22, `bbox` (default: the world), and the filters of the list.
 * 400 `query.invalid`, 404 `swarm.not_found`.
 */
export function mapRoutes(app: Hono, options: { map: MapStore; userOf: (c: Context) => Promise<string> }): void {
  const { map, userOf } = options;
  app.get('/map', async (c) => {
    const user = await userOf(c);
    const query = readMapQuery(new URL(c.req.url).searchParams);
    const view = await map.view({ user, query });
    return c.body(view, 200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  });
}
