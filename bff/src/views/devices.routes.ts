import type { Context, Hono } from 'hono';
import type { DevicePage } from '../contract.ts';
import type { Database } from '../storage/database.ts';
import { readDevicePage } from './devices.store.ts';
import { readListQuery } from './filters.ts';

/**
 * `GET /devices`: a DevicePage. Query as in the contract's DeviceFilters, and `sort`, `cursor` (`next` of the page
 * before), `limit` 0 to 200. 400 `query.invalid`, 404 `swarm.not_found`.
 */
export function deviceRoutes(
  app: Hono,
  options: { db: Database; now: () => Date; userOf: (c: Context) => Promise<string>; fold: (text: string) => string },
): void {
  const { db, now, userOf, fold } = options;
  app.get('/devices', async (c) => {
    const user = await userOf(c);
    const query = readListQuery(new URL(c.req.url).searchParams);
    const list = await readDevicePage({ db, user, query, fold });
    const page: DevicePage = { ...list, at: now().toISOString() };
    return c.json(page, 200, { 'cache-control': 'no-store' });
  });
}
