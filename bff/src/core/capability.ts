/** What a capability does: its folder exports its settings, and a function that makes it from what the core gives to all of them. */
import { Hono, type Context } from 'hono';
import type { KindsOf } from '../capabilities/actions/kinds/kind.ts';
import type { ActionKind } from '../contract.ts';
import type { SettingSource } from './config/config.ts';
import type { Rates } from './limits/limit-tables.ts';
import type { FairQueue } from './limits/fair-queue.ts';
import type { LongReads } from './limits/long-reads.ts';
import type { Log } from './log.ts';
import type { Quotas } from './limits/quotas.ts';
import type { ServiceOptions } from '../service/service.ts';
import type { ServiceApp } from './endpoint/service-app.ts';
import type { Database } from './store/database.ts';
import type { Every } from './collect.ts';
import type { Part } from './part.ts';

export interface Core {
  db: Database;
  /** The queue of the reader thread. */
  queue: FairQueue;
  /** The origin for users and devices. */
  publicUrl: string;
  readsOf: LongReads;
  quotas: Quotas;
  rates: Rates;
  now: () => Date;
  newId: () => string;
  warn: Log['warn'];
  /** The user of a request of the app. */
  userOf: (c: Context) => string;
}

/** What the endpoints of the service are made of. */
export type ServiceParts = Parameters<ServiceOptions['addRoutes']>[1];

export interface Capability extends Part {
  /** Adds endpoints of the service. */
  service?: (app: ServiceApp, parts: ServiceParts) => void;
  /** Endpoints of the app, with paths below `/api`. */
  screens?: Hono;
  /** The same, with a rate of their own: their requests are not counted as those of the others. */
  uncounted?: Hono;
  /** What users do to many records. */
  actionKinds?: Partial<KindsOf<ActionKind>>;
}

/** An entry of `capabilities.ts`. */
export interface Definition {
  /** Reads its settings, of which `open` makes what the settings name. */
  readSettings?: (source: SettingSource) => unknown;
  /** Before the server starts. @throws ConfigError for what cannot be used */
  open?: (settings: never, program: { version: string }) => Promise<unknown>;
  create: (core: Core, opened: never) => Capability;
}
type Definitions = Readonly<Record<string, Definition>>;

/** What the capabilities of a list have opened, by their names. */
export type Opened<All> = {
  [Name in keyof All]?: All[Name] extends { open: (...args: never) => Promise<infer Of> } ? Of : undefined;
};

/** Any of the capabilities of a list, as it is made. */
export type MadeBy<All> = [keyof All] extends [never]
  ? Capability
  : All[keyof All] extends { create: (...args: never) => infer Made }
    ? Made
    : never;

/** Opens what the settings of all of them name. */
export async function openCapabilities<All extends Definitions>(
  all: All,
  settings: Readonly<Record<string, unknown>>,
  program: { version: string },
) {
  const opened = await Promise.all(
    Object.entries(all).map(async ([name, { open }]) => [name, await open?.(settings[name] as never, program)]),
  );
  return Object.fromEntries(opened) as Opened<All>;
}

/** Makes all capabilities. */
export function createCapabilities<All extends Definitions>(all: All, core: Core, opened: Opened<All>) {
  return Object.entries(all).map(([name, { create }]) => create(core, opened[name] as never)) as MadeBy<All>[];
}

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
