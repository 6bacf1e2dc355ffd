/**
 * The spec's endpoints, put together: stores (`stores.ts`), what users do to them (`use-cases.ts`), and the routes, each with the
 * parts that it uses. The service knows callers only by their API keys: no browser, no cookie, no session, no screen. Paths
 * are the spec's, relative to {base_url}.
 */
import type { Part } from '../core/part.ts';
import type { EventStreams } from '../core/http/event-streams.ts';
import type { DeviceFormat } from '../core/resources/device-export.ts';
import type { Report } from '../core/problem.ts';
import type { FairQueue, Requester } from '../core/limits/fair-queue.ts';
import type { DeviceConnections } from '../core/limits/device-connections.ts';
import type { Limits } from '../core/limits/limit-tables.ts';
import { createLongReads } from '../core/limits/long-reads.ts';
import { valueLimits } from '../capabilities/values/limits.ts';
import { noQuotas, type Quotas } from '../core/limits/quotas.ts';
import type { ChangeFeed } from '../core/feed/change-feed.ts';
import type { Database } from '../core/store/database.ts';
import type { Shape } from '../core/store/shape.ts';
import { activityRoutes } from '../core/activity/activity.routes.ts';
import type { ActivityLog } from '../core/activity/activity-log.store.ts';
import { audienceRoutes } from '../capabilities/audience/audience.routes.ts';
import { createAudienceReads } from '../capabilities/audience/audience.store.ts';
import { directoryRoutes } from '../core/swarms/directory.routes.ts';
import { createDirectory } from '../core/swarms/directory.store.ts';
import { createBatchDeletions } from '../core/deletions/batch-deletions.store.ts';
import { createEventBuilder } from '../core/events/event-builder.store.ts';
import type { EventOfCapability } from '../core/events/event-records.ts';
import { createHub } from '../core/events/events.hub.ts';
import type { DeviceNotes } from '../core/endpoint/device-notes.ts';
import type { BytesChunk } from '../core/endpoint/list-chunks.ts';
import { createServiceApp, type ServiceApp } from '../core/endpoint/service-app.ts';
import { takesPassword } from '../core/endpoint/routed-path.ts';
import { eventRoutes } from '../core/events/events.routes.ts';
import { exportRoutes } from '../core/resources/export.routes.ts';
import { fileChunks } from '../core/resources/resource-files.ts';
import { createIdempotency } from '../core/endpoint/idempotency.store.ts';
import { invitationRoutes } from '../core/invitations/invitations.routes.ts';
import type { Keys } from '../core/keys/api-keys.store.ts';
import { createKeyGuard, keyHeader } from '../core/endpoint/key-guard.ts';
import { createListCache } from '../core/endpoint/list-responses.ts';
import { memberRoutes } from '../core/members/members.routes.ts';
import { createMessages, type Messages } from '../capabilities/messages/messages.ts';
import { receiveRoutes } from '../capabilities/messages/receive.routes.ts';
import { sendRoutes } from '../capabilities/messages/send.routes.ts';
import { swarmMessageRoutes } from '../capabilities/messages/swarm-messages.routes.ts';
import { createSwarmReader } from '../capabilities/messages/swarm-reader.ts';
import { openApiDocument } from '../core/endpoint/openapi.ts';
import { storeMissingTexts } from '../core/swarms/swarm-texts.store.ts';
import { createStores, type Stores } from '../core/stores.ts';
import type { UseCases } from '../core/use-cases.ts';
import { refusalRoutes } from '../core/resources/refusals.routes.ts';
import { resourceRoutes } from '../core/resources/resources.routes.ts';
import { shareLinkRoutes } from '../capabilities/share-links/share-links.routes.ts';
import { createShareLinks } from '../capabilities/share-links/share-links.store.ts';
import { createShareLinkUseCases } from '../capabilities/share-links/share-links.use-cases.ts';
import { silenceNoticeRoutes } from '../core/swarms/silence-notices.routes.ts';
import type { SilenceNotices } from '../core/swarms/silence-notices.store.ts';
import { swarmRoutes } from '../core/swarms/swarms.routes.ts';
import { trackRoutes } from '../capabilities/tracks/tracks.routes.ts';
import type { Tracks } from '../capabilities/tracks/tracks.store.ts';
import { createValueRecorder } from '../capabilities/values/record-values.store.ts';
import { valueRoutes } from '../capabilities/values/values.routes.ts';
import { createValueReads } from '../capabilities/values/values.store.ts';

export type Service = ReturnType<typeof createService>;

export interface ServiceOptions {
  db: Database;
  /** The queue of the reader thread. */
  queue: FairQueue;
  feed: ChangeFeed;
  keys: Keys;
  streams: EventStreams;
  /** The user's resources that match a query of the device list, oldest first, in chunks. @throws `query.invalid` */
  matchingResources: (query: {
    requester: Requester;
    params: URLSearchParams;
    shape: Shape;
  }) => AsyncIterable<BytesChunk>;
  /** `{base_url}` of the spec, from the configured public address. */
  baseUrl: string;
  limits: Limits;
  /** What the messages of all users may have. */
  messageBytes: number;
  quotas: Quotas;
  /** Without timers. */
  isCommand: boolean;
  now: () => Date;
  newId: () => string;
  /** How many look at a link that shows a device. */
  viewersOf: (link: string) => number;
  devices: DeviceNotes;
  /** The open connections of devices, also those by MQTT. */
  connections: DeviceConnections;
  report: Report;
  stores: Stores;
  useCases: UseCases;
  tracks: Tracks;
  notices: SilenceNotices;
  activity: ActivityLog;
  /** The kinds of events that capabilities add. */
  events: readonly EventOfCapability[];
  /** Adds the endpoints of capabilities. */
  addRoutes: (
    app: ServiceApp,
    parts: {
      useCases: UseCases;
      messages: Messages;
      resources: Stores['resources'];
      swarms: Stores['swarms'];
      devices: DeviceNotes;
    },
  ) => void;
}

/** Makes the stores and the use cases, and gives each noun's routes the parts that they name: one list of all of them. */
export function createService({
  db,
  queue,
  feed,
  keys,
  streams,
  matchingResources,
  baseUrl,
  limits: { rates, slots, deliveries },
  messageBytes,
  quotas,
  isCommand,
  now,
  newId,
  viewersOf,
  devices,
  connections,
  report,
  stores,
  useCases,
  tracks,
  notices,
  activity,
  events,
  addRoutes,
}: ServiceOptions) {
  const idempotency = createIdempotency({ db, now });
  const { app, serve } = createServiceApp({ idempotency, rates, slots, devices, keys, report });
  const listCache = createListCache({ feed });
  const readsOf = createLongReads({ db, queue });
  const { resources, swarms, members, invitations } = stores;
  const hub = createHub({ feed, records: createEventBuilder({ db, ...stores, ofCapabilities: events }), report, now });
  const shareLinks = createShareLinks({ db, pageUrl: new URL('/view', baseUrl).href, now, viewersOf });
  const bytesOfUser = quotas.resources * valueLimits.bytesOfDevice;
  const values = createValueRecorder({ db, queue, bytesOfUser, isCommand, now, newId, report });
  const messages = createMessages({
    db,
    feed,
    queue,
    quotas,
    bytesOfAll: messageBytes,
    rates,
    deliveries,
    unread: values.unread,
    now,
    newId,
    report,
  });
  // First, because the page of the API has its operations in this order.
  sendRoutes(app, { messages, rates, resources });
  receiveRoutes(app, { messages, streams, connections, rates, resources });
  swarmMessageRoutes(app, { messages, resources, swarms });
  exportRoutes(app, { all: resources.list, matching: matchingResources });
  resourceRoutes(app, { useCases, resources, swarms, listCache, baseUrl });
  refusalRoutes(app, { db, resources });
  trackRoutes(app, { tracks, resources });
  audienceRoutes(app, {
    audiences: createAudienceReads({ readsOf, now }),
    resources,
    swarms,
  });
  valueRoutes(app, {
    reads: createValueReads({ db, queue, bytesOfUser, now }),
    choose: values.choose,
    resources,
    swarms,
    messages,
    now,
  });
  shareLinkRoutes(app, {
    useCases: createShareLinkUseCases({ resources, swarms, shareLinks, now, newId }),
    baseUrl,
  });
  swarmRoutes(app, { useCases, swarms, baseUrl });
  silenceNoticeRoutes(app, { useCases, notices, swarms });
  memberRoutes(app, { useCases, members, swarms, baseUrl });
  invitationRoutes(app, { useCases, invitations, resources, swarms, baseUrl });
  addRoutes(app, { useCases, messages, resources, swarms, devices });
  eventRoutes(app, { hub, streams, ofCapabilities: events.map(({ schema }) => schema) });
  activityRoutes(app, { activity });
  directoryRoutes(app, { directory: createDirectory({ db, queue }) });

  return {
    /** Answers every request: a client sends its API key, the gateway attaches the user's. */
    fetch: createKeyGuard({ keys, feed, invalidKeys: rates.invalid_keys, devices, serve, report }),
    keyHeader,
    /** Whether pages of other origins may use what is at this address, if the operator has named them. */
    isForPages: (request: Request) => !takesPassword(request),
    endpoints: app.routes.filter(({ method }) => method !== 'ALL'),
    openApi: () => openApiDocument({ app, serverUrl: baseUrl }),
    /** The events of everything that a user may see. */
    events: hub,
    deletions: createBatchDeletions({ db, resources, swarms, invitations }),
    /** MQTT uses them, browsers that watch a swarm, and the demo. */
    messages: {
      send: messages.send,
      receive: messages.receive,
      newestCursor: messages.newestCursor,
      secondsLeft: messages.secondsLeft,
      watch: messages.watch,
      ofSwarm: createSwarmReader({ messages, swarms }),
      waitingForBudget: messages.waitingForBudget,
      endWaiting: messages.endWaiting,
      purge: messages.purge,
      bytes: messages.bytes,
    },
    parts: partsOf({ db, idempotency, activity, tracks, invitations, shareLinks, keys, hub, values, messages }),
    useCases,
    keys,
    idempotency,
    activity,
    tracks,
    values,
    invitations,
    shareLinks,
    /** The screens use it too, so that one rule says who may do what with a swarm. Throws `swarm.not_found`, `.forbidden`. */
    requireSwarm: swarms.require,
    /** One rule says who may do what with a device. Throws `resource.not_found`, `.forbidden`. */
    requireResource: resources.require,
    /** The demo uses them, also with a clock of the past. They do not check permissions. */
    storesWithoutQuotas: (clock = now) =>
      createStores({ db, baseUrl, quotas: noQuotas, now: clock, onLeft() {}, readsOf }),
    /** The parts of a file with the user's resources. For the operator's export. */
    exportResources: ({ userId, format }: { userId: string; format: DeviceFormat }) =>
      fileChunks({ format, chunks: resources.list({ user: userId }, format) }),
  };
}

type Running<Name extends string> = Record<Name, () => Promise<unknown>>;

/** What runs by itself, in this order: values are recorded before messages are deleted. */
function partsOf(parts: {
  db: Database;
  idempotency: Running<'purge'>;
  activity: Running<'purge'>;
  tracks: Running<'purge'>;
  invitations: Running<'purge'>;
  shareLinks: Running<'purge'>;
  keys: Running<'purge'>;
  hub: { stop: () => void };
  values: Running<'run' | 'close'>;
  messages: Running<'purge'> & { endWaiting: () => void; close: () => unknown };
}): Part[] {
  const { db, idempotency, activity, tracks, invitations, shareLinks, keys, hub, values, messages } = parts;
  return [
    {
      everyHour: [
        { name: 'missingTexts', run: () => storeMissingTexts(db) },
        { name: 'idempotencyPurge', run: idempotency.purge },
        { name: 'activityPurge', run: activity.purge },
        { name: 'tracksPurge', run: tracks.purge },
        { name: 'invitationsPurge', run: invitations.purge },
        { name: 'shareLinksPurge', run: shareLinks.purge },
        { name: 'keysPurge', run: keys.purge },
      ],
      close: hub.stop,
    },
    { everyHour: [{ name: 'values', run: values.run }], close: values.close },
    { everyHour: [{ name: 'messagesPurge', run: messages.purge }], stop: messages.endWaiting, close: messages.close },
  ];
}
