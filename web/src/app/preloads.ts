interface Preload {
  /** What the page requests first, if its URL has no query. */
  data?: readonly string[];
  /** What it loads on a phone only, in `src/`. */
  phone?: string;
  /** What its map of devices requests first, if the URL has no view. */
  map?: string;
}

const mapOf = (audience: string) => `/api/map?audience=${audience}&bbox=-180%2C-90%2C180%2C90&zoom=2`;

/**
 * What a page of `pages.ts` needs beside its files. Only the build reads this: `public/boot.js` requests the files and the
 * data of the page that is opened first (preload-list.plugin.ts).
 */
export const preloads: Record<string, Preload> = {
  '/': {
    data: ['/api/devices?audience=own&limit=100&counts=later'],
    phone: 'features/devices/home/home-phone.tsx',
    map: mapOf('own'),
  },
  '/devices/:id': { data: ['/api/resources/:id', '/api/resources/:id/swarms'] },
  '/swarms': { data: ['/api/swarm-list?limit=100'] },
  '/swarms/:id': { data: ['/api/swarms/:id/overview'], map: mapOf('swarm%3A:id') },
  '/swarms/:id/map': { data: ['/api/swarms/:id/overview'], map: mapOf('swarm%3A:id') },
  '/map': { map: mapOf('visible') },
  '/invitations': {
    data: ['/api/inbox?box=received&state=new&limit=100', '/api/inbox?box=received&state=answered&limit=100'],
  },
  '/account': {
    data: [
      '/api/account/keys',
      '/api/account/sessions',
      '/api/account/passkeys',
      '/api/account/totp',
      '/api/account/identities',
      '/auth/options',
      '/api/account/recovery-codes',
      '/api/activity?limit=50',
    ],
  },
};
