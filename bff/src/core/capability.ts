/** What a capability does: its folder exports a function that makes it, from what the core gives to all of them. */
import { Hono, type Context } from 'hono';
import type { KindsOf } from '../capabilities/actions/kinds/kind.ts';
import type { ActionKind } from '../contract.ts';
import type { LongReads } from './limits/long-reads.ts';
import type { Quotas } from './limits/quotas.ts';
import type { Database } from './store/database.ts';
import type { Every } from './collect.ts';
import type { Part } from './part.ts';

export interface Core {
  db: Database;
  readsOf: LongReads;
  quotas: Quotas;
  now: () => Date;
  newId: () => string;
  /** The user of a request of the app. */
  userOf: (c: Context) => string;
}

export interface Capability extends Part {
  /** Endpoints of the app, with paths below `/api`. */
  screens?: Hono;
  /** What users do to many records. */
  actionKinds?: Partial<KindsOf<ActionKind>>;
}

/** Any of the capabilities of a list, as it is made. */
export type MadeBy<All> = [keyof All] extends [never]
  ? Capability
  : Extract<All[keyof All], (core: Core) => Capability> extends (core: Core) => infer Made
    ? Made
    : never;

/** Makes all capabilities. */
export function createCapabilities<All extends Record<string, (core: Core) => Capability>>(all: All, core: Core) {
  return Object.values(all).map((create) => create(core)) as MadeBy<All>[];
}

/** Their endpoints below `/api`. */
export function screensOf(made: readonly Capability[]): Hono {
  const all = new Hono();
  for (const { screens } of made) if (screens) all.route('/', screens);
  return all;
}

/** The kinds of actions of all of them. */
export function actionKindsOf<Made extends Capability>(made: readonly Made[]) {
  const kinds = Object.assign({}, ...made.map(({ actionKinds }) => actionKinds)) as unknown;
  return kinds as Every<Extract<Made, { actionKinds: unknown }>['actionKinds']>;
}
