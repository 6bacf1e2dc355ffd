interface Page {
  /** In `routes/`. */
  file: string;
  /** It needs no session, and has nothing of the app around it. */
  isPublic?: true;
  /** What the page requests first, if its URL has no query. */
  data?: readonly string[];
  /** What it loads on a phone only, in `src/`. */
  phone?: string;
  /** What its map of devices requests first, if the URL has no view. */
  map?: string;
}

const mapOf = (audience: string) => `/api/map?audience=${audience}&bbox=-180%2C-90%2C180%2C90&zoom=2`;

/**
 * The page of each URL. The order does not matter: the most specific path wins. The build reads this table too, because
 * `public/boot.js` requests the files and the data of the page that is opened first (preload-list.plugin.ts).
 */
export const pages: Record<string, Page> = {
  '/': {
    file: 'home',
    data: ['/api/devices?audience=own&limit=100&counts=later'],
    phone: 'features/devices/home/home-phone.tsx',
    map: mapOf('own'),
  },
  '/devices/:id': { file: 'device', data: ['/api/resources/:id', '/api/resources/:id/swarms'] },
  '/swarms': { file: 'swarms', data: ['/api/swarm-list?limit=100'] },
  '/swarms/:id': { file: 'swarm', data: ['/api/swarms/:id/overview'], map: mapOf('swarm%3A:id') },
  '/swarms/:id/map': { file: 'swarm-wall', data: ['/api/swarms/:id/overview'], map: mapOf('swarm%3A:id') },
  '/discover': { file: 'discover' },
  '/map': { file: 'wall', map: mapOf('visible') },
  '/import': { file: 'import' },
  '/invite': { file: 'invite' },
  '/join/:code': { file: 'join' },
  '/share': { file: 'share' },
  '/invitations': {
    file: 'invitations',
    data: ['/api/inbox?box=received&state=new&limit=100', '/api/inbox?box=received&state=answered&limit=100'],
  },
  '/account': {
    file: 'account',
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
  '/activity': { file: 'activity' },
  '/operator': { file: 'operator' },
  '/sign-in': { file: 'sign-in', isPublic: true },
  '/view': { file: 'view', isPublic: true },
  '*': { file: 'not-found' },
};
