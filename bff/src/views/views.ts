/**
 * ROOM "what a screen asks": the device list and the map, each as one answer that a screen can draw. Read only.
 * It knows the caller's name and what that caller may see (service.md), and nothing of cookies, sessions or keys.
 */
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Database } from '../storage/database.ts';
import type { Caller } from './caller.ts';
import { deviceRoutes } from './devices.routes.ts';
import { mapRoutes } from './map.routes.ts';
import { createMapStore } from './map.store.ts';

export interface Views {
  /** `/devices` and `/map`; app.ts mounts it and answers its errors. */
  routes: Hono;
  close(): Promise<void>;
}

export function createViews(
  options: Caller & {
    db: Database;
    now: () => Date;
    /** Folds what is searched for as the texts were folded that are searched. */
    fold: (text: string) => string;
  },
): Views {
  const { db, now, fold, ...caller } = options;
  const routes = new Hono();
  // answers that a screen asks for again and again, mostly numbers and ids
  for (const path of ['/devices', '/map', '/swarms/:swarm_id/members']) routes.use(path, compress());
  const map = createMapStore({ db, fold });
  deviceRoutes(routes, { db, now, caller, fold });
  mapRoutes(routes, { map, caller });
  return { routes, close: () => map.close() };
}
