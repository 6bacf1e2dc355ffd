/**
 * The file in `routes/` of each URL. The order does not matter: the most specific path wins. The build reads this table
 * too, to preload the files of the page that is opened first (preload.plugin.ts).
 */
export const pages = {
  '/': 'home',
  '/devices/:id': 'device',
  '/swarms': 'swarms',
  '/swarms/:id': 'swarm',
  '/swarms/:id/map': 'swarm-wall',
  '/map': 'wall',
  '/import': 'import',
  '/invite': 'invite',
  '/invitations': 'invitations',
  '/account': 'account',
  '/activity': 'activity',
  '/sign-in': 'sign-in',
  '*': 'not-found',
} as const;
