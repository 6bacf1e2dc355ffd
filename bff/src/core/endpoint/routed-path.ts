/** The path by which a request is routed, and how its client can authenticate there. */
import { passwordPaths } from '../collect.ts';
import type { ServiceBindings } from '../http/request-bindings.ts';

const schemes = {
  key: 'ApiKey realm="Swarmdeck"',
  basic: 'Basic realm="Swarmdeck", charset="UTF-8"',
};

/**
 * How a client can authenticate. Only an app whose path takes one is asked for a password. A browser with a session, whose key the gateway
 * attaches, is asked for nothing: it would show a dialog of its own.
 */
export function challengeOf(request: Request, { session }: Pick<ServiceBindings, 'session'>): string | undefined {
  if (session) return undefined;
  return takesPassword(request) ? schemes.basic : schemes.key;
}

/** Whether a key can be the password of Basic authentication at this address. */
export const takesPassword = (request: Request): boolean => passwordPaths.has(routedPath(request));

/** The path by which a request is routed: without its first segment (`/service`, or `/api` behind the gateway). */
export function routedPath({ url }: Request): string {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  const rest = url.indexOf('/', path + 1);
  const query = url.indexOf('?', path);
  if (path === -1 || rest === -1 || (query !== -1 && rest > query)) return '/';
  const routed = decoded(url.slice(rest, query === -1 ? undefined : query));
  // Users type the paths that take a password.
  const typed = routed.endsWith('/') ? routed.slice(0, -1) : '';
  return passwordPaths.has(typed) ? typed : routed;
}

/** A path that cannot be decoded matches no route. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
