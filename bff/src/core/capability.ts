/** What a capability does: its folder exports its settings, and a function that makes it from what the core gives to all of them. */
import { Hono, type Context } from 'hono';
import type { KindsOf, Requests } from '../capabilities/actions/kinds/kind.ts';
import type { ActionKind, DeviceAddresses } from '../contract.ts';
import type { SettingSource } from './config/config.ts';
import type { Rates } from './limits/limit-tables.ts';
import type { FairQueue } from './limits/fair-queue.ts';
import type { LongReads } from './limits/long-reads.ts';
import type { Log } from './log.ts';
import type { Quotas } from './limits/quotas.ts';
import type { Service, ServiceOptions } from '../service/service.ts';
import type { DeviceNotes } from './endpoint/device-notes.ts';
import type { EventOfCapability } from './events/event-records.ts';
import type { ClientAddress } from './http/client-address.ts';
import type { ChangeFeed } from './feed/change-feed.ts';
import type { EventStreams } from './http/event-streams.ts';
import type { AnsweredRequest } from './http/request-bindings.ts';
import type { Keys } from './keys/api-keys.store.ts';
import type { DeviceConnections } from './limits/device-connections.ts';
import type { Measurements } from './measurements.ts';
import type { Report } from './problem.ts';
import type { Accounts, MakeWay } from './accounts/accounts.ts';
import type { Way } from './accounts/ways.ts';
import type { ServiceApp } from './endpoint/service-app.ts';
import type { Database } from './store/database.ts';
import type { Stores } from './stores.ts';
import type { UseCases } from './use-cases.ts';
import type { Secrets } from './store/secret.ts';
import type { Every } from './collect.ts';
import type { Command } from './command.ts';
import type { Part } from './part.ts';

export interface Core {
  db: Database;
  feed: Pick<ChangeFeed, 'name'>;
  secrets: Secrets;
  /** A command without a server: nothing runs by itself. */
  isCommand: boolean;
  /** The queue of the reader thread. */
  queue: FairQueue;
  /** The origin for users and devices. */
  publicUrl: string;
  /** `{base_url}` of the spec, from the configured public address. */
  baseUrl: string;
  readsOf: LongReads;
  quotas: Quotas;
  rates: Rates;
  now: () => Date;
  newId: () => string;
  warn: Log['warn'];
  report: Report;
  keys: Keys;
  streams: EventStreams;
  /** Notes whether devices are there. */
  devices: DeviceNotes;
  /** These devices were heard at a time, in ms. */
  heardThen: (ids: readonly string[], at: number) => Promise<void>;
  /** The open connections of devices. */
  connections: DeviceConnections;
  addresses: ClientAddress;
  /** The records of the nouns of the core, and what users do to them. */
  stores: Stores;
  useCases: UseCases;
  /** It is made after the capabilities, whose endpoints it has. */
  service: () => Service;
  /** Returns the name of a user as it is stored. @throws Problem `user.not_found` */
  requireUser: (name: string) => Promise<string>;
  /** Counts an attempt of an address at `/auth`. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  /** What is measured of all modules. */
  measure: () => Promise<Measurements>;
  /** The user of a request of the app, and its session. */
  userOf: (c: Context) => string;
  sessionOf: (c: Context) => { userName: string; sessionId: string };
}

/** What the endpoints of the service are made of. */
export type ServiceParts = Parameters<ServiceOptions['addRoutes']>[1];

/** Where a capability listens. `line` is printed in front of `url`. */
interface Door {
  url: string;
  line: string;
}

export interface Capability extends Part {
  /** The server serves: opens a door of its own, if the settings name one. @throws ConfigError for an address that cannot be used */
  start?: () => Promise<Door | undefined>;
  /** Where devices connect to it. */
  deviceAddresses?: () => DeviceAddresses;
  /** The response of a request begins. */
  onAnswered?: (request: AnsweredRequest) => void;
  /** Adds endpoints of the service. */
  service?: (app: ServiceApp, parts: ServiceParts) => void;
  /** Endpoints of the app, with paths below `/api`. */
  screens?: Hono;
  /** The same, with a rate of their own: their requests are not counted as those of the others. */
  uncounted?: Hono;
  /** Endpoints below `/auth`. */
  auth?: Hono;
  /** The kinds of events that it adds to the stream. */
  events?: readonly EventOfCapability[];
  /** The id of the swarm that is shown to the user of this code. @throws Problem if the code cannot be used */
  opensSwarm?: (opened: { userId: string; code: string }) => Promise<string>;
  /** A page of the user is open, until the returned function is called. */
  pageOpened?: (user: string) => () => void;
  /** The account of this user has ended. */
  accountEnded?: (user: string) => Promise<void>;
  /** What its commands ask the server for. */
  operator?: Readonly<Record<string, (given: never) => Promise<unknown>>>;
  /** What users do to many records. */
  actionKinds?: Partial<KindsOf<ActionKind>>;
  /** What users answer and withdraw in the same lists as invitations. */
  requests?: Requests;
}

/** An entry of `capabilities.ts`. */
export interface Definition {
  /** The capabilities without which it cannot be. */
  needs?: readonly string[];
  /** Reads its settings, of which `open` makes what the settings name. */
  readSettings?: (source: SettingSource) => unknown;
  /** Before the server starts. @throws ConfigError for what cannot be used */
  open?: (settings: never, program: { version: string }) => Promise<unknown>;
  /** Commands of an operator, by their names. */
  commands?: Readonly<Record<string, Command>>;
  create?: (core: Core, opened: never) => Capability;
  /** What it adds to the accounts of users: a way to sign in or to confirm. */
  way?: (accounts: Accounts, opened: never) => Way;
}
type Definitions = Readonly<Record<string, Definition>>;

/** What the capabilities of a list have opened, or else their settings, by their names. */
export type Opened<All> = {
  [Name in keyof All]?: All[Name] extends { open: (...args: never) => Promise<infer Of> }
    ? Of
    : All[Name] extends { readSettings: (...args: never) => infer Settings }
      ? Settings
      : undefined;
};

/** Any of the capabilities of a list, as it is made. */
export type MadeBy<All> = [keyof All] extends [never] ? Capability : MadeByOne<All[keyof All]>;
type MadeByOne<One> = One extends { create: (...args: never) => infer Made } ? Made : never;

/** Opens what the settings of all of them name. */
export async function openCapabilities<All extends Definitions>(
  all: All,
  settings: Readonly<Record<string, unknown>>,
  program: { version: string },
) {
  const opened = await Promise.all(
    Object.entries(all).map(async ([name, { open }]) => {
      const ofName = settings[name];
      return [name, open ? await open(ofName as never, program) : ofName];
    }),
  );
  return Object.fromEntries(opened) as Opened<All>;
}

/** Makes all capabilities. */
export function createCapabilities<All extends Definitions>(all: All, core: Core, opened: Opened<All>) {
  return Object.entries(all).map(([name, { create }]) => create?.(core, opened[name] as never) ?? {}) as MadeBy<All>[];
}

/** Starts all of them. `urls`: where they listen, by their names. `lines`: what is printed of it. */
export async function startCapabilities(all: Definitions, made: readonly Capability[]) {
  const urls: Record<string, string> = {};
  const lines: string[] = [];
  for (const [at, name] of Object.keys(all).entries()) {
    const door = await made[at]?.start?.();
    if (!door) continue;
    urls[name] = door.url;
    lines.push(`${door.line} ${door.url}`);
  }
  return { urls, lines };
}

/** What makes the ways of all capabilities. */
export const waysOf = <All extends Definitions>(all: All, opened: Opened<All>): MakeWay[] =>
  Object.entries(all).flatMap(([name, { way }]) =>
    way ? [(accounts: Accounts) => way(accounts, opened[name] as never)] : [],
  );

/** Their endpoints below `/api`. */
export function screensOf(made: readonly Capability[], which: 'screens' | 'uncounted'): Hono {
  const all = new Hono();
  for (const { [which]: routes } of made) if (routes) all.route('/', routes);
  return all;
}

/** The kinds of actions of all of them. */
export function actionKindsOf<Made extends Capability>(made: readonly Made[]) {
  const kinds = Object.assign({}, ...made.map(({ actionKinds }) => actionKinds)) as unknown;
  return kinds as Every<Extract<Made, { actionKinds: unknown }>['actionKinds']>;
}
