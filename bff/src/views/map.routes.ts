import type { Hono } from 'hono';
import { requireAudience } from './caller.ts';
import type { Caller } from './caller.ts';
import { readMapQuery } from './filters.ts';
import type { MapStore } from './map.store.ts';

/**
 * `GET /map`: a MapView. Query: `zoom` 0 to 22, `bbox` (default: the world), and the filters of the list.
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`.
 */
export function mapRoutes(app: Hono, options: { map: MapStore; caller: Caller }): void {
  const { map, caller } = options;
  app.get('/map', async (c) => {
    const user = await caller.userOf(c);
    const query = readMapQuery(new URL(c.req.url).searchParams);
    requireAudience(caller, { user, audience: query.filters.audience });
    const view = await map.view({ user, query });
    return c.body(view, 200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  });
}
