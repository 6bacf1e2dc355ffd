/**
 * Views: lists of devices, swarms and invitations with the names that belong to them, and the map, each as one response
 * that a screen can draw. Read only: rows come from the database, the map and the counts of devices from indexes that a
 * thread keeps in memory while they are viewed (index.thread.ts).
 * It knows the caller's name and what that caller may see, and nothing of cookies, sessions or keys.
 */
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Database } from '../store/database.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { createAskerOf } from './caller.ts';
import type { Caller } from './caller.ts';
import { createDeviceIndex } from './device-index.ts';
import { deviceRoutes } from './devices.routes.ts';
import { inboxRoutes } from './inbox.routes.ts';
import { mapRoutes } from './map.routes.ts';
import { swarmListRoutes } from './swarm-list.routes.ts';
import { wallRoutes } from './wall.routes.ts';

interface Views {
  /** app.ts mounts it and answers its errors. */
  routes: Hono;
  /** Somebody looks at that map until the function it returns is called: what was read for it stays. */
  watching(watched: { user: string; audience: string }): () => void;
  /** Whoever is the first to look does not wait for a thread to start. */
  warm(): void;
  close(): Promise<void>;
}

/** Reads of one user that may wait at the same time. */
const mostWaiting = 1000;

// never `/swarms/*`: what no view answers goes on to the service
// nor its overview: it is small, and packed its ETag would be a weak one, which `If-Match` never matches
const ofSwarm = ['members', 'board'].map((screen) => `/swarms/:swarm_id/${screen}`);
const compressed = ['/devices', '/inbox', '/inbox/*', '/swarm-list', ...ofSwarm];

export function createViews(
  options: Caller & {
    db: Database;
    now: () => Date;
    /** What names are sorted by. */
    nameKey: (name: string) => string;
  },
): Views {
  const { db, now, nameKey, userOf, ...caller } = options;
  const routes = new Hono();
  // answers that a screen asks for again and again, mostly numbers and ids
  for (const path of compressed) routes.use(path, compress());
  const index = createDeviceIndex({ db });
  // for the reader thread; the thread of the indexes takes turns itself
  const askerOf = createAskerOf({ db, queue: createFairQueue({ mostWaiting }), userOf });
  deviceRoutes(routes, { index, now, askerOf, caller });
  mapRoutes(routes, { index, askerOf, caller });
  wallRoutes(routes, { index, now, askerOf, caller });
  inboxRoutes(routes, { now, askerOf, caller });
  swarmListRoutes(routes, { now, askerOf, caller, nameKey });
  return { routes, watching: index.watching, warm: index.warm, close: () => index.close() };
}
