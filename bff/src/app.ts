/** The composition root: the only file that imports every module. Modules never import each other; it passes functions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { createBackups } from './backup/backups.ts';
import { createActions } from './actions/actions.ts';
import { createItemsOf } from './actions/filtered-items.ts';
import { createKinds } from './actions/kinds.ts';
import { createClientAddress } from './http/client-address.ts';
import type { Config } from './config/config.ts';
import { createDemo, demoRoutes } from './demo/demo.ts';
import { createDemoTalk } from './demo/demo-talk.ts';
import { createEventStreams } from './http/event-streams.ts';
import { endAccount, readUsage } from './gateway/account.store.ts';
import { createGateway, sessionOf, userOf } from './gateway/gateway.ts';
import { createGatewayKeys } from './gateway/gateway-keys.store.ts';
import { createChangeFeed } from './change-feed/change-feed.ts';
import { createReport, type Log } from './log.ts';
import { createMqtt } from './mqtt/mqtt.ts';
import type { Measurements } from './metrics/metrics.ts';
import { createDoctor } from './operator/doctor.ts';
import { createOperator } from './operator/operator.ts';
import { operatorPageRoutes } from './operator/page.routes.ts';
import { createUserList } from './operator/users.store.ts';
import { Problem } from './problem.ts';
import { createRouting } from './http/server.ts';
import { operatorActor } from './limits/field-rules.ts';
import { createFairQueue } from './limits/fair-queue.ts';
import { createLongReads } from './limits/long-reads.ts';
import { createLimits, queueTable } from './limits/limit-tables.ts';
import { limitsOf } from './limits/operation-limits.ts';
import { quotasOf } from './limits/quotas.ts';
import { savedViewRoutes } from './saved-views/saved-views.ts';
import { removeSavedView } from './saved-views/saved-views.store.ts';
import { createKeys } from './service/keys/api-keys.store.ts';
import { createService } from './service/service.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import type { Database } from './store/database.ts';
import { changeSecret, requireSecret, type Secrets } from './store/secret.ts';
import { createTiles, type TileSource } from './tiles/tiles.ts';
import { createPresence } from './presence/presence.ts';
import { createReadModels } from './read-models/read-models.ts';
import { createWebhooks } from './notices/webhooks.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

const measuredWithinMs = 2000;

/** Slices of unused space, of 1 MB each, that go back to the file system in an hour; and in ms, between two of them. */
const mostSlices = 4096;
const sliceEveryMs = 50;

/** Entries of the feed name users, also of accounts that have ended. */
const feedKeptMs = 24 * 3600 * 1000;

export async function createApp({
  config,
  publicUrl,
  secrets,
  db,
  siteFolder,
  tileSource,
  program = '',
  isCommand = false,
  log,
  now,
  newId,
}: {
  config: Pick<Config, 'signUp' | 'rateLimit' | 'quotas' | 'trustedProxies'> &
    Partial<Pick<Config, 'backup' | 'dataDir' | 'databaseUrl' | 'messageBytes' | 'mqttUrl' | 'webhooks'>>;
  /** The origin for users and devices. */
  publicUrl: string;
  secrets: Secrets;
  db: Database;
  /** The built web app; undefined for an API-only server. */
  siteFolder: string | undefined;
  /** The source of the map's tiles, if any. */
  tileSource?: TileSource | undefined;
  /** The operator's commands, a file for Node. It makes the regular backups. */
  program?: string;
  /**
   * For a command without a server: presence and deliveries wait for one, and so do actions and deletions, unless the command
   * starts an action.
   */
  isCommand?: boolean;
  log: Log;
  now: () => Date;
  newId: () => string;
}) {
  const { signUp, rateLimit, messageBytes = Number.POSITIVE_INFINITY } = config;
  const quotas = quotasOf(config.quotas);
  const limits = createLimits({ factor: rateLimit, now });
  const { rates, places } = limits;
  const report = createReport(log);
  const addresses = createClientAddress(config.trustedProxies, log.warn);

  await requireSecret({ db, secrets });
  const feed = await createChangeFeed({ db, report });
  const keys = createKeys({ db, feed, quotas, now, newId, onHeard: (id) => presence.heard(id) });
  const gatewayKeys = createGatewayKeys({
    db,
    feed,
    secrets,
    now,
    mint: (userName) => keys.mint({ userId: userName, kind: 'held', name: 'gateway key' }),
  });
  const signIn = createSignIn({
    db,
    feed,
    secrets,
    publicUrl,
    signUp,
    rates,
    now,
    report,
    onSignedIn({ userName, userAgent, requestId, address }) {
      log.info('signed in', { request_id: requestId, user: userName, way: 'password', address });
      return service.activity.record({ kind: 'account.signed_in', userId: userName, detail: userAgent });
    },
    async onPasswordChanged(userName, by) {
      await gatewayKeys.replace(userName);
      const actor = by === 'operator' ? operatorActor : userName;
      await service.activity.record({ kind: 'account.password_changed', userId: userName, actor });
    },
    previewJoinLink: (code) => service.useCases.previewJoinLink(code),
  });
  const streams = createEventStreams({
    endedOf: { key: keys.ended, session: signIn.sessions.ended },
    quotas,
    report,
  });
  const baseUrl = `${publicUrl}/service`;
  const queue = createFairQueue({ mostWaiting: queueTable.reads.most, atOnce: db.longReads });
  const service = createService({
    db,
    queue,
    feed,
    keys,
    streams,
    matchingResources: (query) => screens.matchingDevices(query),
    baseUrl,
    secrets,
    limits,
    quotas,
    messageBytes,
    now,
    newId,
    onLeft: () => actions.deleteLeft(),
    onPhoneSaid: (id, phone) => presence.said(id, phone),
    report,
  });
  const presence = createPresence({
    db,
    feed,
    isCommand,
    now,
    newId,
    report,
    receiving: service.messages.receiving,
    silenceActivity: service.activity.silenceActivity,
  });
  const mqtt = createMqtt({
    fetch: service.fetch,
    baseUrl,
    keyHeader: service.keyHeader,
    keys,
    messages: service.messages,
    streams,
    report,
    heard: presence.heard,
    addresses,
    packetsOfDevice: rates.mqtt_packets,
    newId,
  });
  const screens = createReadModels({
    db,
    queue,
    now,
    userOf,
    report,
    async requireSwarm({ user, code, ...request }) {
      const offer = code === undefined ? undefined : await service.useCases.openJoinLink({ userId: user, code });
      if (offer?.swarm.id !== request.id) await service.requireSwarm({ userId: user, ...request });
    },
  });
  const demoTalk = createDemoTalk({
    db,
    report,
    send: service.messages.send,
    updateResource: service.useCases.updateResource,
    heard: presence.heard,
  });
  const demo = createDemo({
    db,
    now,
    newId,
    service,
    partners: signIn.usersWithoutPassword,
    onChanged: demoTalk.isChanged,
  });
  const webhooks = createWebhooks({
    db,
    feed,
    secrets,
    publicUrl,
    tests: rates.webhook_tests,
    isCommand,
    now,
    userOf,
    sessionOf,
    report,
    allowsPrivate: config.webhooks === 'private',
  });
  const savedViews = savedViewRoutes({ db, quotas, now, newId, userOf });
  const actions = createActions({
    db,
    queue,
    feed,
    isCommand,
    now,
    newId,
    report,
    userOf,
    deleteSome: service.deletions.some,
    importActivity: service.activity.importActivity,
    kinds: createKinds({
      useCases: service.useCases,
      newId,
      removeView: (view) => removeSavedView({ db, ...view }),
    }),
    itemsOf: createItemsOf({ devices: screens.matchingDevices, invitations: screens.matchingInvitations }),
  });
  const backups = createBackups({ plan: config.backup, program, log, now });
  const tiles = createTiles({ source: tileSource, publicUrl, rate: rates.tiles, userOf, now, warn: log.warn });
  async function onEnded(userName: string) {
    // The account is deleted in any case; `tidy` finishes a failed removal.
    await demo.remove({ user: userName }).catch(report);
    actions.deleteLeft();
  }
  const users = createUserList({ db, queue, activityOf: service.activity.ofAccount, now });
  const operator = createOperator({
    examine: createDoctor({
      publicUrl,
      db,
      now,
      backupState: backups.status,
      hasUnknownProxy: addresses.hasUnknownProxy,
      messages: { most: messageBytes, read: service.messages.bytes },
      presenceAgeMs: () => (isCommand ? undefined : presence.measure().roundAgeMs),
      config: { dataDir: config.dataDir ?? '.', databaseUrl: config.databaseUrl ?? db.url },
    }),
    signIn,
    keys,
    quotas,
    rateLimit,
    exportResources: service.exportResources,
    actions,
    demo,
    users,
    async usageOf(userName) {
      const found = await readUsage({ db, userName });
      return found && { ...found.counts, streams: streams.count(userName) };
    },
    async endAccount(userName) {
      if (await endAccount({ db, userName })) await onEnded(userName);
    },
  });
  const gateway = createGateway({
    db,
    readsOf: createLongReads({ db, queue }),
    feed,
    now,
    ...signIn,
    quotas,
    gatewayKeys,
    keys,
    requireResource: service.requireResource,
    mqttUrl: () => config.mqttUrl ?? mqtt.url(),
    rate: rates.screens,
    places: places.screens,
    onEnded,
    streams,
    events: service.events,
    actions,
    watching(watched) {
      const ends = [screens.watching(watched), demoTalk.watch(watched.user)];
      return () => ends.forEach((end) => end());
    },
    messages: service.messages,
    service: service.fetch,
    screens: new Hono()
      .route('/', screens.routes)
      .route('/', demoRoutes({ userOf, demo }))
      .route('/', savedViews)
      .route('/', webhooks.routes)
      .route('/', operatorPageRoutes({ operator, users, userOf, log }))
      .route('/', actions.routes),
    tiles: tiles.routes,
    report,
  });

  for (const { method, path } of [...gateway.routes, ...signIn.endpoints])
    if (method !== 'ALL') limitsOf(`${method} ${path}`);

  const fetch = createRouting({
    async requireReady() {
      if (!db.alive || (await db.read({ sql: 'SELECT 1 AS ready' })).length === 0) throw new Problem('storage.away');
    },
    isOutdated: () => db.isOutdated,
    openApi: service.openApi,
    service: service.fetch,
    gateway: gateway.fetch,
    signIn: signIn.handle,
    siteFolder,
    addressOf: addresses.ofRequest,
    newId,
    log,
    report,
  });

  return {
    fetch,
    addressOf: addresses.ofRequest,
    /** Every endpoint behind a key or a session, for the tests that walk them all. */
    endpoints: [
      ...service.endpoints.map(({ method, path }) => ({ method, path: `/service${path}` })),
      ...gateway.routes,
    ],
    /** The endpoints of `/auth`, which need neither. */
    signInEndpoints: signIn.endpoints,
    operator,
    /**
     * Runs at the start and every hour: continues interrupted deletions and deletes expired data. A step that fails is
     * reported, and does not stop the others.
     */
    async tidy() {
      const steps = [
        async () => actions.deleteLeft(),
        () => feed.purge({ before: new Date(now().getTime() - feedKeptMs).toISOString() }),
        service.storeMissingTexts,
        service.idempotency.purge,
        service.activity.purge,
        service.tracks.purge,
        actions.purge,
        service.invitations.purge,
        service.messages.purge,
        signIn.sessions.purge,
        demo.tidy,
        async () => {
          if (secrets.length === 1) return;
          await gatewayKeys.sealAllAgain();
          await webhooks.sealAllAgain();
          await changeSecret({ db, secret: secrets[0] });
        },
        async () => {
          for (let slices = 0; slices < mostSlices && db.alive && (await db.giveSpaceBack()); slices += 1)
            await sleep(sliceEveryMs);
        },
        // Last, because it takes minutes.
        backups.makeIfDue,
      ];
      for (const step of steps) await step().catch(report);
    },
    /** The numbers of all modules, for metrics. */
    async measure(): Promise<Omit<Measurements, 'unsent'>> {
      const [ofFeed, index, backup] = await Promise.all([
        inTime(feed.measure()),
        inTime(screens.measureIndex()),
        inTime(backups.status()),
      ]);
      const { commits, threadRestarts } = db.measure();
      return {
        feed: ofFeed,
        commits,
        queues: {
          reader: queue.measure(),
          index: index?.queue,
          passwords: signIn.measurePasswords(),
          tiles: tiles.measure(),
        },
        index,
        streams: streams.measure(),
        notices: { ...presence.measure(), sending: webhooks.measure() },
        mqtt: mqtt.count(),
        receiversWaiting: service.messages.waitingForBudget(),
        messageBytes: await service.messages.bytes(),
        threadRestarts: { ...threadRestarts, index: screens.indexRestarts() },
        backup: backup && {
          ageMs: backup.last && now().getTime() - backup.last.at.getTime(),
          hasFailed: backup.failure !== undefined,
        },
      };
    },
    /** Starts threads in advance, so that the first requests do not wait for them. */
    warm: screens.warm,
    backups,
    presence,
    webhooks,
    mqtt,
    /** Closes the event streams, which would keep the server from stopping. */
    endStreams() {
      streams.end();
      mqtt.close();
      service.messages.endWaiting();
    },
    /** Stops the modules' own threads. The caller closes the database. */
    async close() {
      mqtt.close();
      await backups.close();
      await actions.close();
      feed.close();
      demoTalk.close();
      await presence.close();
      await webhooks.close();
      await service.close();
      await tiles.close();
      await screens.close();
    },
  };
}

/** Undefined if it fails, or takes longer than a scrape should. */
async function inTime<T>(measured: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const waited = sleep(measuredWithinMs, undefined, { signal: late.signal, ref: false });
  return Promise.race([measured, waited])
    .catch(() => undefined)
    .finally(() => late.abort());
}
