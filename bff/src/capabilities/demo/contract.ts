/** Devices to try the app with. */
import type { Declaration } from '../../core/declaration.ts';
import { purge } from '../../core/limits/job-rows.ts';
import { point, write } from '../../core/limits/operation-rows.ts';

/** `GET /api/demo`: the existing demo objects of the caller. */
export interface Demo {
  exists: boolean;
  /** The names of demo users with devices and swarms. They cannot sign in. */
  partners: string[];
  /** Ids of the caller's own devices. */
  resources: string[];
  swarms: string[];
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/demo': Demo;
  }
}

export const demoRows = {
  limits: {
    'GET /api/demo': point,
    'POST /api/demo': write,
    'DELETE /api/demo': write,
  },
  queues: {
    demos: { who: 'user', what: 'requests that wait to add or remove the demo', most: 4 },
  },
  jobs: {
    demoTidy: purge,
    /** One write has the values of a device: a block for each six hours of 30 days. */
    demo: { rows: 500, KiB: 64, statements: 128, in: ['capabilities/demo/demo-talk.ts'] },
  },
} as const satisfies Declaration;
