import { Problem } from '../http/problem.ts';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write that another site could have triggered with the user's cookie (CSRF). Browsers send `Sec-Fetch-Site`,
 * or `Origin` over plain HTTP.
 * @throws Problem `origin.refused` (403), also if a write has neither header
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
 * Whether a browser stores the `__Host-` cookie, which it does over HTTPS and on localhost. A request without `Origin`
 * does not come from a browser's form.
 */
export function keepsSecureCookies(request: Request): boolean {
  const origin = request.headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return true;
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'https:') return true;
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
}
