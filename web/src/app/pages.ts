import type { pagePaths } from '@swarmdeck/bff/first-rules';

interface Page {
  /** In `routes/`. */
  file: string;
  /** It needs no session, and has nothing of the app around it. */
  isPublic?: true;
}

/**
 * The page of each URL: the first path that matches. What the page that is opened first
 * requests is in `preloads.ts`.
 */
export const pages: Record<(typeof pagePaths)[number] | '*', Page> = {
  '/': { file: 'home' },
  '/devices/:id': { file: 'device' },
  '/swarms': { file: 'swarms' },
  '/swarms/:id': { file: 'swarm' },
  '/swarms/:id/map': { file: 'swarm-wall' },
  '/discover': { file: 'discover' },
  '/map': { file: 'wall' },
  '/import': { file: 'import' },
  '/invite': { file: 'invite' },
  '/join/:code': { file: 'join' },
  '/share': { file: 'share' },
  '/invitations': { file: 'invitations' },
  '/account': { file: 'account' },
  '/activity': { file: 'activity' },
  '/operator': { file: 'operator' },
  '/sign-in': { file: 'sign-in', isPublic: true },
  '/view': { file: 'view', isPublic: true },
  '*': { file: 'not-found' },
};
