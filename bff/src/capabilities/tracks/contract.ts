/** Where a device was. */
import type { Declaration } from '../../core/declaration.ts';
import type { Track } from './tracks.schema.ts';
import { ownersAndFellowMembers } from '../../core/endpoint/rules.ts';
import { purge } from '../../core/limits/job-rows.ts';
import { inReader } from '../../core/limits/operation-rows.ts';

export type { Track, TrackFeature, TrackPoint } from './tracks.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/resources/:id/track': Track;
  }
}

export const tracksRows = {
  policy: {
    getTrack: { rule: ownersAndFellowMembers, scope: 'read' },
  },
  limits: {
    getTrack: inReader,
  },
  quotas: {
    tracks: {
      who: 'user',
      what: 'devices whose track is kept, each with up to 18 kB',
      most: 1000,
      problem: [
        'track.too_many',
        'An account can keep the tracks of up to {allowed} resources. Switch off some first.',
      ],
    },
  },
  jobs: {
    tracksPurge: purge,
  },
  problems: {
    'track.too_many': [409, 'This account has reached the limit of tracks'],
  },
} as const satisfies Declaration;
