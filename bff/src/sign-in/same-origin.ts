import { Problem } from '../http/problem.ts';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write that another site could have made a browser send along with our cookie.
 * A browser says where a request comes from in `Sec-Fetch-Site`, or, on plain http, in `Origin`.
 * @throws Problem `origin.refused` (403), also when a write says nothing about its origin
 */
export function requireSameOrigin(request: Request): void {
  if (reading.has(request.method)) return;
  const site = request.headers.get('sec-fetch-site');
  const same = site === null ? originIsHost(request) : site === 'same-origin';
  if (!same) throw new Problem('origin.refused');
}

function originIsHost(request: Request): boolean {
  const origin = request.headers.get('origin');
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return origin !== null && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/**
 * Whether a browser would keep our `__Host-` cookie, which it does over https and on this very machine.
 * A request without `Origin` is not a browser's form: there is no cookie to lose.
 */
export function keepsSecureCookies(request: Request): boolean {
  const origin = request.headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return true;
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'https:') return true;
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
}
