/** The composition root: the only file that imports every module. Modules never import each other; it passes functions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createAudience } from './capabilities/audience-notices/audience.ts';
import { createPacing } from './core/http/pacing.ts';
import { createConsentEnds } from './capabilities/consent-ends/consent-ends.ts';
import { createBackups } from './capabilities/backup/backups.ts';
import { createActions } from './capabilities/actions/actions.ts';
import { createItemsOf } from './capabilities/actions/filtered-items.ts';
import { createKinds } from './capabilities/actions/kinds.ts';
import * as capabilities from './capabilities.ts';
import {
  actionKindsOf,
  createCapabilities,
  screensOf,
  startCapabilities,
  waysOf,
  type Capability,
  type MadeBy,
  type Opened,
} from './core/capability.ts';
import type { Part } from './core/part.ts';
import { connectionAddresses, createClientAddress } from './core/http/client-address.ts';
import { createCrossOrigin } from './core/http/cross-origin.ts';
import type { Config } from './core/config/config.ts';
import { createEventStreams } from './core/http/event-streams.ts';
import { createGuests } from './capabilities/guests/guests.ts';
import { endAccount, readUsage } from './core/gateway/account.store.ts';
import { createGateway, sessionOf, userOf } from './core/gateway/gateway.ts';
import { createGatewayKeys } from './core/gateway/gateway-keys.store.ts';
import { createChangeFeed, type ChangeFeed } from './core/feed/change-feed.ts';
import { dayMs } from './core/limits/durations.ts';
import type { DeviceAddresses } from './contract.ts';
import { createReport, type Log } from './core/log.ts';
import { createMail } from './capabilities/mail/mail.ts';
import type { Measurements } from './core/measurements.ts';
import { createDoctor } from './capabilities/operator/doctor.ts';
import { createOperator } from './capabilities/operator/operator.ts';
import { operatorPageRoutes } from './capabilities/operator/page.routes.ts';
import { createOperatedUsers } from './capabilities/operator/users.store.ts';
import { Problem, type Report } from './core/problem.ts';
import type { AnsweredRequest } from './core/http/request-bindings.ts';
import { createRouting } from './core/http/routing.ts';
import { operatorActor } from './core/limits/field-rules.ts';
import { createFairQueue, type FairQueue } from './core/limits/fair-queue.ts';
import { createLongReads } from './core/limits/long-reads.ts';
import { createDeviceConnections } from './core/limits/device-connections.ts';
import { createLimits, queueTable, type Rates } from './core/limits/limit-tables.ts';
import type { HourlyStep } from './core/limits/job-limits.ts';
import { limitsOf } from './core/limits/operation-limits.ts';
import { quotasOf, type Quotas } from './core/limits/quotas.ts';
import { createActivityLog } from './core/activity/activity-log.store.ts';
import { createStores } from './core/stores.ts';
import { createSilenceNotices } from './core/swarms/silence-notices.store.ts';
import { createUseCases } from './core/use-cases.ts';
import { createTracks } from './capabilities/tracks/tracks.store.ts';
import { createKeys } from './core/keys/api-keys.store.ts';
import { createService, type Service } from './service/service.ts';
import type { SignInChanged } from './core/accounts/ways.ts';
import { createSignIn } from './core/accounts/sign-in.ts';
import type { Database } from './core/store/database.ts';
import { changeSecret, requireSecret, type Secrets } from './core/store/secret.ts';
import { createPresence } from './capabilities/presence/presence.ts';
import { createReadModels } from './read-models/read-models.ts';

export type App = Awaited<ReturnType<typeof createApp>>;
type Modules = Awaited<ReturnType<typeof createModules>>;
type Made = MadeBy<typeof capabilities>[];

const measuredWithinMs = 2000;

/** Slices of unused space, of 1 MB each, that go back to the file system in an hour; and in ms, between two of them. */
const mostSlices = 4096;
const sliceEveryMs = 50;

/** Entries of the feed name users, also of accounts that have ended. */
const feedKeptMs = dayMs;

export interface AppOptions {
  config: Pick<Config, 'signUp' | 'rateLimit' | 'quotas' | 'trustedProxies'> &
    Partial<
      Pick<
        Config,
        | 'backup'
        | 'corsOrigins'
        | 'oidcProviders'
        | 'oidcOnly'
        | 'secondFactor'
        | 'dataDir'
        | 'databaseUrl'
        | 'mail'
        | 'messageBytes'
        | 'sessionIdleMs'
        | 'sessionMaxMs'
      >
    >;
  /** The origin for users and devices. */
  publicUrl: string;
  secrets: Secrets;
  db: Database;
  /** The built web app; undefined for an API-only server. */
  siteFolder: string | undefined;
  /** What the settings of capabilities name. */
  opened?: Opened<typeof capabilities>;
  /** The bytes of responses that clients have not read. */
  unsent?: () => number;
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
}

export async function createApp(options: AppOptions) {
  const { config, db, siteFolder, log, newId } = options;
  const { corsOrigins = [] } = config;
  const modules = await createModules(options);
  const { service, screens, signIn, guests, presence, audience, consentEnds, mail, backups } = modules;
  const operator = createOperatorOf(modules);
  const gateway = createGatewayOf(modules, operator);

  const auth = signIn.serve((modules.made as readonly Capability[]).flatMap((each) => each.auth ?? []));

  for (const { method, path } of [...gateway.routes, ...auth.endpoints, ...guests.endpoints])
    if (method !== 'ALL') limitsOf(`${method} ${path}`);

  const fetch = createRouting({
    async requireReady() {
      if (!db.alive || (await db.read({ sql: 'SELECT 1 AS ready' })).length === 0) throw new Problem('storage.away');
    },
    isOutdated: () => db.isOutdated,
    openApi: service.openApi,
    service: service.fetch,
    gateway: gateway.fetch,
    signIn: auth.handle,
    guests: guests.handle,
    crossOrigin:
      corsOrigins.length > 0 ? createCrossOrigin({ origins: corsOrigins, keyHeader: service.keyHeader }) : undefined,
    isForPages: service.isForPages,
    siteFolder,
    addressOf: modules.addresses.ofRequest,
    arriving: modules.limits.arriving,
    newId,
    log,
    report: modules.report,
  });

  const onAnswered = (modules.made as readonly Capability[]).flatMap((each) => each.onAnswered ?? []);
  let isClosing = false;
  const parts = partsOf(modules, () => isClosing);
  const steps = parts.flatMap(({ everyHour = [] }) => everyHour);
  if (!options.isCommand) for (const { load } of parts) await load?.();
  return {
    fetch,
    addressOf: modules.addresses.ofRequest,
    pacing: modules.pacing,
    /** Every endpoint behind a key or a session, for the tests that walk them all. */
    endpoints: [
      ...service.endpoints.map(({ method, path }) => ({ method, path: `/service${path}` })),
      ...gateway.routes,
    ],
    /** The endpoints of `/auth`, which need neither. */
    signInEndpoints: auth.endpoints,
    /** The endpoints of `/guest`, which need the code of a link. */
    guestEndpoints: guests.endpoints,
    operator,
    /**
     * Runs at the start and every hour: continues interrupted deletions and deletes expired data. A step that fails is
     * reported, and does not stop the others.
     */
    tidy: () => tidy(steps, { report: modules.report, isClosing: () => isClosing }),
    /** The steps of `tidy`, for the test that compares each with its row. */
    hourlySteps: steps,
    /** The numbers of all modules, for metrics. */
    measure: () => measure(modules),
    /** The response of a request begins. */
    onAnswered(request: AnsweredRequest) {
      for (const each of onAnswered) each(request);
    },
    /** Starts threads in advance, so that the first requests do not wait for them. */
    warm() {
      db.warm();
      screens.warm();
    },
    backups,
    presence,
    audience,
    consentEnds,
    values: service.values,
    /** What the parts run by timers, by its name: for tests. */
    rounds: Object.assign({}, ...parts.map(({ rounds }) => rounds)) as Record<string, () => Promise<unknown>>,
    mail,
    /** Opens the doors of capabilities. @throws ConfigError for an address that cannot be used */
    start: () => startCapabilities(capabilities, modules.made),
    /** Closes the event streams, which would keep the server from stopping. */
    endStreams() {
      for (const { stop } of parts) stop?.();
    },
    /**
     * Ends what the parts run, all of them: an error of one is reported when the others have ended. The caller closes the
     * database.
     */
    async close() {
      isClosing = true;
      const errors: unknown[] = [];
      for (const { close } of parts)
        try {
          await close?.();
        } catch (error) {
          errors.push(error);
        }
      for (const error of errors) modules.report(error);
    },
  };
}

/** Makes the modules, and passes them the functions of each other that they need. */
async function createModules(options: AppOptions) {
  const { config, publicUrl, secrets, db, opened = {}, program = '', isCommand = false, log, now, newId } = options;
  const { messageBytes = Number.POSITIVE_INFINITY } = config;
  const quotas = quotasOf(config.quotas);
  const limits = createLimits({ factor: config.rateLimit, now });
  const { rates } = limits;
  const report = createReport(log);
  const addresses = createClientAddress(config.trustedProxies, log.warn);
  const pacing = createPacing({
    anonymous: rates.anonymous,
    addressOf: addresses.ofRequest,
    isTrusted: connectionAddresses(config.trustedProxies).isTrusted,
  });

  await requireSecret({ db, secrets });
  const feed = await createChangeFeed({ db, report });
  const identity = createIdentity({
    ...options,
    isCommand,
    feed,
    quotas,
    rates,
    report,
    record: (entry) => activity.record(entry),
  });
  const { keys, signIn } = identity;
  const endedLinks = async (ids: string[]) => guests.endedOf(ids);
  const endedOf = { key: keys.ended, session: signIn.sessions.ended, link: endedLinks };
  const streams = createEventStreams({ endedOf, quotas, report });
  const { presence, audience, consentEnds } = createNotifiers({
    ...options,
    isCommand,
    feed,
    report,
    activity: () => activity,
  });
  const connections = createDeviceConnections({ takeovers: rates.takeovers, onChange: presence.connected });
  const baseUrl = `${publicUrl}/service`;
  const queue = createFairQueue({
    mostWaiting: queueTable.reads.most,
    atOnce: db.longReads,
    mostTogether: db.readsTogether,
    budget: limits.reading,
  });
  const readsOf = createLongReads({ db, queue });
  const nouns = createNouns({ db, baseUrl, queue, quotas, now, newId, readsOf, onLeft: () => actions.deleteLeft() });
  const { activity, stores, useCases } = nouns;
  const core = {
    db,
    feed,
    secrets,
    isCommand,
    queue,
    publicUrl,
    baseUrl,
    readsOf,
    quotas,
    rates,
    now,
    newId,
    warn: log.warn,
    report,
    userOf,
    keys,
    streams,
    devices: presence,
    heardThen: presence.heardThen,
    connections,
    addresses,
    sessionOf,
    requireUser: signIn.requireUser,
    requireAttempt: signIn.requireAttempt,
    stores,
    useCases,
    measure: (): Promise<Measurements> => measure(modules),
    service: (): Service => service,
  };
  const made = createCapabilities(capabilities, core, opened);
  const service = createService({
    db,
    queue,
    feed,
    keys,
    streams,
    matchingResources: (query) => screens.shapedDevices(query),
    baseUrl,
    limits,
    quotas,
    messageBytes,
    isCommand,
    now,
    newId,
    viewersOf: (link) => guests.viewersOf(link),
    devices: presence,
    connections,
    report,
    ...nouns,
    events: (made as readonly Capability[]).flatMap(({ events = [] }) => events),
    addRoutes: (app, parts) => (made as readonly Capability[]).forEach((each) => each.service?.(app, parts)),
  });
  const guests = createGuests({ feed, service, streams, limits, now, report });
  const screens = createReadModels({
    db,
    queue,
    now,
    userOf,
    report,
    async requireSwarm({ user, code, ...request }) {
      if (code !== undefined)
        for (const { opensSwarm } of made as readonly Capability[])
          if ((await opensSwarm?.({ userId: user, code })) === request.id) return;
      await service.requireSwarm({ userId: user, ...request });
    },
  });
  const actions = createActionsOf({ made, db, now, newId, isCommand, queue, feed, report, service, screens });
  const backups = createBackups({ plan: config.backup, program, log, now });
  const users = createOperatedUsers({ db, queue, activityOf: service.activity.ofAccount, now });
  const modules = {
    ...options,
    messageBytes,
    quotas,
    limits,
    report,
    addresses,
    pacing,
    feed,
    ...identity,
    streams,
    queue,
    readsOf,
    made,
    service,
    guests,
    presence,
    audience,
    consentEnds,
    screens,
    actions,
    backups,
    users,
    /** The account of this user has ended. What is left is deleted in any case: `tidy` finishes a failed removal. */
    async onEnded(userName: string) {
      for (const { accountEnded } of made as readonly Capability[]) await accountEnded?.(userName).catch(report);
      actions.deleteLeft();
    },
  };
  return modules;
}

/** Who a request is from: API keys, sessions, and the key that the gateway attaches for a session. */
function createIdentity(
  options: Pick<AppOptions, 'config' | 'publicUrl' | 'secrets' | 'db' | 'opened' | 'log' | 'now' | 'newId'> & {
    isCommand: boolean;
    feed: ChangeFeed;
    quotas: Quotas;
    rates: Rates;
    report: Report;
    /** Adds an entry to the activity of a user. */
    record: Service['activity']['record'];
  },
) {
  const { config, publicUrl, secrets, db, isCommand, log, now, newId, feed, quotas, rates, report, record } = options;
  const mail = createMail({
    settings: config.mail,
    db,
    write: (mails) => signIn.writeMail(mails),
    isCommand,
    now,
    log,
    report,
  });
  const keys = createKeys({ db, feed, quotas, now, newId, report });
  const gatewayKeys = createGatewayKeys({
    db,
    feed,
    secrets,
    now,
    mint: (userName) => keys.mint({ userId: userName, kind: 'gateway', name: 'gateway key' }),
  });
  /** An entry of the user's activity, and a mail. */
  const noteChange = async (changed: SignInChanged) => {
    await signIn.tell(changed);
    await recordChange(changed);
  };
  const recordChange = ({ change, userName, actor, detail }: Omit<SignInChanged, 'userAgent'>) =>
    record({ kind: `account.${change}`, userId: userName, ...(actor && { actor }), ...(detail && { detail }) });
  const signIn = createSignIn({
    db,
    feed,
    secrets,
    publicUrl,
    mails: mail,
    signUp: config.signUp,
    sessionTimes: { idleMs: config.sessionIdleMs, maxMs: config.sessionMaxMs },
    oidcProviders: config.oidcProviders ?? [],
    oidcOnly: config.oidcOnly ?? false,
    secondFactor: config.secondFactor ?? 'optional',
    warn: log.warn,
    rates,
    now,
    report,
    ways: waysOf(capabilities, options.opened ?? {}),
    sessionOf,
    record: (changed) => recordChange(changed).catch(report),
    onChanged: (changed) => noteChange(changed).catch(report),
    onSignedIn({ userName, userAgent, requestId, address, way, isNewBrowser }) {
      log.info('signed in', { request_id: requestId, user: userName, way, address });
      const kind = isNewBrowser ? 'account.signed_in_new' : 'account.signed_in';
      return record({ kind, userId: userName, detail: `${signIn.shownWay(way)}\n${userAgent}` });
    },
    async onPasswordChanged({ userName, by, userAgent }) {
      await gatewayKeys.replace(userName);
      const actor = by === 'operator' ? operatorActor : userName;
      await noteChange({ change: 'password_changed', userName, actor, userAgent });
    },
    async onRecovered({ userName, userAgent, requestId, address, way }) {
      log.info('recovered', { request_id: requestId, user: userName, way, address });
      await gatewayKeys.replace(userName);
      await noteChange({ change: 'recovered', userName, detail: `${way}\n${userAgent}`, userAgent });
    },
  });
  return { keys, gatewayKeys, signIn, mail };
}

/** The records of the core, and what users do to them: the capabilities use them. */
function createNouns(options: Parameters<typeof createStores>[0] & { queue: FairQueue; newId: () => string }) {
  const stores = createStores(options);
  const tracks = createTracks(options);
  const notices = createSilenceNotices(options);
  const useCases = createUseCases({ ...options, ...stores, insertPoint: tracks.insert, notices });
  return { stores, useCases, tracks, notices, activity: createActivityLog(options) };
}

/** Tells users of silent devices, of who sees their devices, and of what ends; what has ended is deleted. */
function createNotifiers(
  options: Pick<AppOptions, 'db' | 'now' | 'newId'> & {
    isCommand: boolean;
    feed: ChangeFeed;
    report: Report;
    activity: () => Service['activity'];
  },
) {
  const { activity } = options;
  return {
    presence: createPresence({
      ...options,
      silenceActivity: (entry) => activity().silenceActivity(entry),
      swarmSilenceActivity: (entry) => activity().swarmSilenceActivity(entry),
    }),
    audience: createAudience({ ...options, audienceActivity: (entry) => activity().audienceActivity(entry) }),
    consentEnds: createConsentEnds({
      ...options,
      activity: {
        endedMembers: (entry) => activity().endedMembersActivity(entry),
        watcher: (entry) => activity().managerActivity(entry),
        request: (entry) => activity().requestActivity(entry),
        ending: (entry) => activity().endingActivity(entry),
      },
    }),
  };
}

/** What users do to many records, with the use cases of the service and the filters of the screens. */
function createActionsOf({
  made,
  service,
  screens,
  ...options
}: Pick<AppOptions, 'db' | 'now' | 'newId'> & {
  isCommand: boolean;
  queue: FairQueue;
  feed: ChangeFeed;
  report: Report;
  made: Made;
  service: Service;
  screens: ReturnType<typeof createReadModels>;
}) {
  const { newId } = options;
  const { useCases } = service;
  return createActions({
    ...options,
    userOf,
    deleteBatch: service.deletions.deleteBatch,
    importActivity: service.activity.importActivity,
    kinds: createKinds({
      useCases,
      newId,
      ofCapabilities: actionKindsOf(made),
      requests: (made as readonly Capability[]).find(({ requests }) => requests)?.requests,
    }),
    itemsOf: createItemsOf(screens, useCases),
  });
}

function createOperatorOf(modules: Modules) {
  const { config, publicUrl, db, now, isCommand, messageBytes, quotas, addresses, backups, presence } = modules;
  const { service, streams, signIn, mail, keys, actions, users, onEnded, made } = modules;
  return createOperator({
    examine: createDoctor({
      publicUrl,
      db,
      now,
      backupState: backups.status,
      hasUnknownProxy: addresses.hasUnknownProxy,
      trustedProxies: config.trustedProxies,
      messages: { most: messageBytes, read: service.messages.bytes },
      presenceAgeMs: () => (isCommand ? undefined : presence.measure().roundAgeMs),
      ofSignIn: async () => (await Promise.all(signIn.parts.map(async (part) => part.findings?.() ?? []))).flat(),
      mail: mail.examine,
      secondFactors: signIn.secondFactors.count,
      config: { dataDir: config.dataDir ?? '.', databaseUrl: config.databaseUrl ?? db.url },
    }),
    signIn,
    keys,
    quotas,
    rateLimit: config.rateLimit,
    exportResources: service.exportResources,
    actions,
    ofCapabilities: Object.assign({}, ...(made as readonly Capability[]).map((each) => each.operator)) as NonNullable<
      Capability['operator']
    >,
    users,
    async usageOf(userName) {
      const found = await readUsage({ db, userName });
      return found && { ...found.counts, streams: streams.count(userName) };
    },
    async endAccount(userName) {
      if (await endAccount({ db, userName })) await onEnded(userName);
    },
  });
}

function createGatewayOf(modules: Modules, operator: ReturnType<typeof createOperator>) {
  const { db, readsOf, now, log, report, limits, quotas, feed, keys, gatewayKeys, signIn, streams } = modules;
  const { made } = modules;
  const { service, screens, actions, users, onEnded } = modules;
  return createGateway({
    db,
    readsOf,
    feed,
    now,
    ...signIn,
    quotas,
    gatewayKeys,
    keys,
    requireResource: service.requireResource,
    deviceAddresses: () =>
      Object.assign({}, ...(made as readonly Capability[]).map((each) => each.deviceAddresses?.())) as DeviceAddresses,
    rate: limits.rates.screens,
    slots: limits.slots.screens,
    onEnded,
    streams,
    events: service.events,
    actions,
    recordEdit: actions.recordEdit,
    watching(watched) {
      const opened = (made as readonly Capability[]).map(({ pageOpened }) => pageOpened?.(watched.user));
      const ends = [screens.watching(watched), ...opened];
      return () => ends.forEach((end) => end?.());
    },
    messages: service.messages,
    service: service.fetch,
    screens: screensOf(made, 'screens')
      .route('/', screens.routes)
      .route('/', signIn.screens)
      .route('/', operatorPageRoutes({ operator, signIn, users, sessionOf, log }))
      .route('/', actions.routes),
    uncounted: screensOf(made, 'uncounted'),
    report,
  });
}

/** What runs by itself, in the order in which it runs every hour, and in which it ends. */
function partsOf(modules: Modules, isClosing: () => boolean): Part[] {
  const { db, secrets, now, feed, service, actions, signIn, gatewayKeys, backups } = modules;
  const { presence, audience, consentEnds, streams, mail, guests, screens, made } = modules;
  return [
    ...(made as readonly Capability[]),
    {
      everyHour: [
        { name: 'leftDeletions', run: async () => actions.deleteLeft() },
        { name: 'actionsPurge', run: actions.purge },
      ],
      close: actions.close,
    },
    {
      everyHour: [
        { name: 'feedPurge', run: () => feed.purge({ before: new Date(now().getTime() - feedKeptMs).toISOString() }) },
      ],
      close: feed.close,
    },
    { close: guests.close },
    { everyHour: [{ name: 'presencePurge', run: presence.purge }], stop: presence.stop, close: presence.close },
    { everyHour: [{ name: 'audiencePurge', run: audience.purge }], close: audience.close },
    consentEnds,
    mail,
    { stop: streams.end },
    ...service.parts,
    screens,
    ...signIn.parts,
    {
      everyHour: [
        {
          name: 'secretChange',
          async run() {
            if (secrets.length === 1) return;
            await gatewayKeys.sealAllAgain();
            for (const { sealAllAgain } of [...(made as readonly Capability[]), ...signIn.parts])
              await sealAllAgain?.();
            await changeSecret({ db, secret: secrets[0] });
          },
        },
        {
          name: 'spaceGivenBack',
          async run() {
            for (
              let slices = 0;
              slices < mostSlices && !isClosing() && db.alive && (await db.giveSpaceBack());
              slices += 1
            )
              await sleep(sliceEveryMs);
          },
        },
      ],
    },
    // Last, because it takes minutes.
    { everyHour: [{ name: 'backup', run: backups.makeIfDue }], close: backups.close },
  ];
}

/** A step that fails is reported, and does not stop the others. */
async function tidy(steps: readonly HourlyStep[], { report, isClosing }: { report: Report; isClosing: () => boolean }) {
  for (const { run } of steps) {
    if (isClosing()) return;
    await run().catch((error: unknown) => {
      // The database may be closed in the middle of a step. The next start continues it.
      if (!isClosing()) report(error);
    });
  }
}

async function measure(modules: Modules): Promise<Measurements> {
  const { db, now, feed, screens, backups, queue, signIn, streams, presence, mail, service, pacing } = modules;
  const made: readonly Capability[] = modules.made;
  const [ofFeed, index, backup, messageBytes, values, mailsWaiting] = await Promise.all([
    inTime(feed.measure()),
    inTime(screens.measureIndex()),
    inTime(backups.status()),
    inTime(service.messages.bytes()),
    inTime(service.values.measure()),
    inTime(mail.waiting()),
  ]);
  const { commits, threadRestarts } = db.measure();
  return {
    feed: ofFeed,
    commits,
    queues: {
      reader: queue.measure(),
      index: index?.queue,
      passwords: signIn.measurePasswords(),
      ...Object.assign({}, ...made.map(({ queues }) => queues?.())),
    },
    index,
    streams: streams.measure(),
    notices: presence.measure(),
    mails: { waiting: mailsWaiting, counts: mail.counts() },
    gauges: made.flatMap(({ gauges }) => gauges?.() ?? []),
    receiversWaiting: service.messages.waitingForBudget(),
    paced: pacing.measure(),
    unsent: modules.unsent?.() ?? 0,
    messageBytes,
    values,
    threadRestarts: { ...threadRestarts, index: screens.indexRestarts() },
    backup: backup && {
      ageMs: backup.last && now().getTime() - backup.last.at.getTime(),
      hasFailed: backup.failure !== undefined,
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
