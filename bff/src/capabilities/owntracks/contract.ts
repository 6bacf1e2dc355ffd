/** Phones report their positions with the app OwnTracks. */
import type { Declaration } from '../../core/declaration.ts';
import { deviceKey } from '../../core/endpoint/rules.ts';
import { mostValues, write } from '../../core/limits/operation-rows.ts';

export type { OwnTracksFriends } from './owntracks.schema.ts';

export const owntracksRows = {
  // Users type it into the app.
  passwordPaths: ['/owntracks'],
  policy: {
    reportOwnTracks: { rule: deviceKey, scope: 'position' },
  },
  limits: {
    // The body has what the app may add: the photo of its user, the regions of the phone. Its friends are read by the reader.
    reportOwnTracks: {
      ...write,
      body: { bytes: 512 * 1024, chunkedBytes: 512 * 1024, items: mostValues, ignoresRest: true },
      rows: 1000,
    },
  },
} as const satisfies Declaration;
