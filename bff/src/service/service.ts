/**
 * The spec's endpoints. It knows callers only by their API keys: no browser, no cookie, no session, no screen. Paths
 * are the spec's, relative to {base_url}.
 */
import type { Resource, ResourceCreate, ResourceUpdate } from '../contract.ts';
import type { EventStreams } from '../http/event-streams.ts';
import { notRouted, onError } from '../http/problem.ts';
import type { Report } from '../http/problem.ts';
import { createRate } from '../limits/rate.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Feed } from '../feed/feed.ts';
import type { Database } from '../store/database.ts';
import { createAccess } from './access.ts';
import { activityRoutes } from './activity.routes.ts';
import { createActivityLog } from './activity.store.ts';
import type { ActivityLog } from './activity.store.ts';
import type { Access } from './access.ts';
import { createBatches } from './background-batches.ts';
import { createDeletions } from './deletions.store.ts';
import type { Deletions } from './deletions.store.ts';
import { createEventRecords } from './event-records.store.ts';
import { createHub } from './events.hub.ts';
import type { Hub } from './events.hub.ts';
import { createServiceApp } from './endpoint.ts';
import { eventRoutes } from './events.routes.ts';
import { exportRoutes, fileParts } from './export.routes.ts';
import type { FileFormats, ReadExportFilters } from './export.routes.ts';
import { createIdempotency } from './idempotency.store.ts';
import type { Idempotency } from './idempotency.store.ts';
import { invitationRoutes } from './invitations.routes.ts';
import { createInvitations } from './invitations.store.ts';
import { createKeyGuard } from './key-guard.ts';
import type { ServiceBindings } from './key-guard.ts';
import type { Keys } from './keys.store.ts';
import { createListVersions } from './list-versions.ts';
import { memberRoutes } from './members.routes.ts';
import { createMembers } from './members.store.ts';
import { openApiDocument } from './openapi.ts';
import { resourceRoutes } from './resources.routes.ts';
import { createResources, matchingResources, newResource } from './resources.store.ts';
import { swarmRoutes } from './swarms.routes.ts';
import { createSwarms } from './swarms.store.ts';
import { createUnitOfWork } from './unit-of-work.ts';
import type { UnitOfWork } from './unit-of-work.ts';

interface Service {
  fetch(request: Request, bindings?: ServiceBindings): Response | Promise<Response>;
  openApi(): object;
  endpoints: readonly { method: string; path: string }[];
  /** The events of everything that a user may see. */
  events: Pick<Hub, 'subscribe' | 'mark' | 'newest'>;
  deletions: Deletions;
  /** Stops deletions after their current batch, and the event streams. */
  close(): Promise<void>;
  idempotency: Idempotency;
  activity: Pick<ActivityLog, 'record' | 'purge'>;
  /** For the screens: who may do what with a swarm is one rule for all. Throws `swarm.not_found`, `.forbidden`. */
  swarm: Access['swarm'];
  /** Many changes in one write, for the demo. */
  unitOfWork(): UnitOfWork;
  /** Creates resources like single requests, for the operator's import. Returns false if the user does not exist. */
  importResources(options: { userId: string; bodies: ResourceCreate[] }): Promise<boolean>;
  /**
   * Updates resources by their ids. Those that would stay as they are keep their version. `missing`: they are not the
   * user's. For the operator's import.
   */
  updateResources(options: {
    userId: string;
    updates: { id: string; change: ResourceUpdate }[];
  }): Promise<{ missing: string[]; unchanged: number }>;
  /** The parts of a file with the user's resources. For the operator's export. */
  exportResources(options: { userId: string; format: keyof FileFormats }): AsyncIterable<string>;
}

/** The rate limits of a user's requests, and of a client address's invalid keys. RATE_LIMIT is their factor. */
const requestsPerSecond = 500;
const failuresPerSecond = 1;

export function createService({
  db,
  queue,
  feed,
  keys,
  streams,
  files,
  readExportFilters,
  baseUrl,
  rateLimit,
  quotas,
  now,
  newId,
  report,
}: {
  db: Database;
  /** For the reader thread. */
  queue: FairQueue;
  feed: Feed;
  keys: Keys;
  streams: EventStreams;
  /** How exported files are written. */
  files: FileFormats;
  /** The filters of the device list. */
  readExportFilters: ReadExportFilters;
  /** `{base_url}` of the spec, from the configured public address. */
  baseUrl: string;
  /** The factor of all rate limits; Infinity for none. */
  rateLimit: number;
  quotas: Quotas;
  now: () => Date;
  newId: () => string;
  report: Report;
}): Service {
  const app = createServiceApp();
  const versions = createListVersions({ feed });
  const idempotency = createIdempotency({ db, now });
  const failures = createRate({ perSecond: failuresPerSecond * rateLimit, burst: 30 * rateLimit, now });
  const requests = createRate({
    perSecond: requestsPerSecond * rateLimit,
    burst: 4 * requestsPerSecond * rateLimit,
    now,
  });

  const members = createMembers({ db, quotas, baseUrl, now });
  const batches = createBatches();
  const swarms = createSwarms({ db, quotas, members, batches, report, now });
  const invitations = createInvitations({ db, quotas, now });
  const resources = createResources({ db, quotas, now });
  const records = createEventRecords({ db, resources, invitations, members, swarms });
  const hub = createHub({ feed, records, report, now });
  const access = createAccess({ resources, swarms });
  const activity = createActivityLog({ db, queue, now });
  const common = { resources, swarms, members, access, versions, idempotency, baseUrl, now, newId };
  exportRoutes(app, {
    all: resources.chunks,
    matching: (options) => matchingResources({ db, queue, ...options }),
    readFilters: readExportFilters,
    files,
  });
  resourceRoutes(app, common);
  swarmRoutes(app, common);
  memberRoutes(app, common);
  invitationRoutes(app, { ...common, invitations });
  eventRoutes(app, { hub, streams });
  activityRoutes(app, { activity });
  app.notFound((c) => {
    throw notRouted(app, c.req.path);
  });
  app.onError(onError(report));

  return {
    fetch: createKeyGuard({ keys, failures, requests, serve: app.fetch, report }),
    endpoints: app.routes.filter(({ method }) => method !== 'ALL'),
    openApi: () => openApiDocument({ app, serverUrl: baseUrl }),
    events: hub,
    deletions: createDeletions({ db, batches, resources, swarms, invitations }),
    async close() {
      await batches.stop();
      hub.stop();
    },
    idempotency,
    activity,
    swarm: access.swarm,
    unitOfWork: () => createUnitOfWork({ db, batches, report, baseUrl, newId, now }),
    exportResources: ({ userId, format }) => fileParts({ chunks: resources.chunks(userId), file: files[format] }),
    async updateResources({ userId, updates }) {
      const missing: string[] = [];
      let unchanged = 0;
      async function update({ id, change }: (typeof updates)[number]) {
        for (;;) {
          const found = await resources.find(id);
          if (found?.record.user_id !== userId) return missing.push(id);
          if (!differs(found.record, change)) return (unchanged += 1);
          const { version } = found;
          if (await resources.update({ id, userId, change, version, modifiedAt: undefined })) return undefined;
        }
      }
      await Promise.all(updates.map(update));
      return { missing, unchanged };
    },
    async importResources({ userId, bodies }) {
      const made = bodies.map((body) => newResource({ id: newId(), userId, at: now(), body }));
      const stored = await Promise.all(made.map((resource) => resources.create({ userId, resource, claim: () => [] })));
      return stored.every(Boolean);
    },
  };
}

function differs(record: Resource, { name, machine_type, description, position }: ResourceUpdate): boolean {
  const other = <Value>(given: Value | null | undefined, stored: Value | undefined) =>
    given !== undefined && (given ?? undefined) !== stored;
  return (
    other(name, record.name) ||
    other(machine_type, record.machine_type) ||
    other(description, record.description) ||
    (position !== undefined &&
      (position?.longitude !== record.position?.longitude || position?.latitude !== record.position?.latitude))
  );
}
