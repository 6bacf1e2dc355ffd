/**
 * Queries for the screens: lists of devices, swarms and invitations with all names that they need, and the map, each as one response for
 * one screen. Read only. Rows come from the database. A thread finds, counts and sorts devices in memory while they are
 * viewed, and makes the map (index.thread.ts). The module gets the caller's name and access from app.ts,
 * and knows nothing of cookies, sessions or keys.
 */
import { Hono } from 'hono';
import type { Database } from '../core/store/database.ts';
import type { RecordRow } from '../core/store/resource-fields.ts';
import type { Shape } from '../core/store/shape.ts';
import type { FairQueue, Requester } from '../core/limits/fair-queue.ts';
import { createLongReads } from '../core/limits/long-reads.ts';
import { createRequesterOf, requireAudience, type Caller } from './caller.ts';
import { createIndexClient } from './index/index-client.ts';
import { deviceRoutes } from './devices/devices.routes.ts';
import { matchingDevices } from './devices/devices.store.ts';
import { readFilters } from './devices/device-query-parser.ts';
import { mapRoutes } from './map/map.routes.ts';
import { wallRoutes } from './wall.routes.ts';
import { boardRoutes } from './invitations/board.routes.ts';
import { inboxRoutes } from './invitations/inbox.routes.ts';
import { matchingInvitations } from './invitations/matching-invitations.ts';
import { swarmListRoutes } from './swarms/swarm-list.routes.ts';

/** `swarm`: its members, not the user's devices. */
interface MatchingQuery {
  requester: Requester;
  params: URLSearchParams;
  swarm?: string | undefined;
}

export type ReadModels = ReturnType<typeof createReadModels>;

export function createReadModels(
  options: Caller & {
    db: Database;
    /** For the reader thread. The index thread has its own queue. */
    queue: FairQueue;
    now: () => Date;
    /** Receives the reasons why the index thread has ended. */
    report: (error: unknown) => void;
  },
) {
  const { db, queue, now, userOf, requireSwarm, report } = options;
  const routes = new Hono();
  const index = createIndexClient({ db, report });
  const readsOf = createLongReads({ db, queue });
  const requesterOf = createRequesterOf({ readsOf, userOf });
  const common = { now, requesterOf, requireSwarm };
  deviceRoutes(routes, { ...common, index });
  mapRoutes(routes, { ...common, index });
  wallRoutes(routes, { ...common, index });
  inboxRoutes(routes, common);
  boardRoutes(routes, common);
  swarmListRoutes(routes, common);

  async function* matching<Row>(query: MatchingQuery & { shape?: Shape }) {
    const { requester, shape } = query;
    const filters = readFilters(query);
    const requireAccess = () => requireAudience(requireSwarm, { user: requester.user, audience: filters.audience });
    await requireAccess();
    const reading = { ...requester, db: readsOf(requester) };
    for await (const chunk of matchingDevices<Row>({ requester: reading, index, filters, shape })) {
      await requireAccess();
      yield chunk;
    }
  }

  return {
    /** app.ts mounts it and answers its errors. */
    routes,
    /** The invitations of the user that match the query of the inbox, in pages. @throws `query.invalid` */
    matchingInvitations: ({ userId, params }: { userId: string; params: URLSearchParams }) =>
      matchingInvitations({ db: readsOf({ user: userId }), user: userId, params, now }),
    /**
     * The user's devices, or the members of a swarm that the user may list, that match the filters of this query, in
     * chunks, as long as the user has access. Other users' reads take turns with it.
     * @throws `query.invalid`, `swarm.not_found`, `swarm.forbidden`
     */
    matchingDevices: (query: MatchingQuery) => matching<RecordRow>(query),
    /** Yields what the shape makes of each chunk of these devices. */
    async *shapedDevices<Made>(query: MatchingQuery & { shape: Shape }): AsyncGenerator<Made, void> {
      for await (const chunk of matching<Made>(query)) yield* chunk;
    },
    /** Keeps the index of a map until the returned function is called. */
    watching: index.watching,
    /** Starts the thread in advance, so that the first request does not wait for it. */
    warm: index.warm,
    measureIndex: index.measure,
    indexRestarts: () => index.restarts,
    close: index.close,
  };
}
