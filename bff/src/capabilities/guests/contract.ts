/** What people without an account see, who have a link. */
import type { Declaration } from '../../core/declaration.ts';
import { few } from '../../core/limits/job-rows.ts';
import { point } from '../../core/limits/operation-rows.ts';
import { guestLimits, guestsMemory } from './limits.ts';

export const guestsRows = {
  limits: {
    // The track of a link is read by the reader, and so are the first devices of one of a swarm.
    'GET /guest/events': { ...point, rows: guestLimits.devicesAtOnce, isStreamed: true },
  },
  rates: {
    guests: {
      who: 'address',
      what: 'openings of links that show a device or swarm',
      most: 60,
      per: 'minute',
      burst: 60,
    },
  },
  jobs: {
    'GET /guest/events': {
      rows: guestLimits.devicesAtOnce,
      KiB: 512,
      statements: few.statements,
      in: ['capabilities/guests/viewers.ts'],
    },
  },
  memory: guestsMemory,
} as const satisfies Declaration;
