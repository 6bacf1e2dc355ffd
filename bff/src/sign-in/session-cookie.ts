/** The session cookie: its value, its signature, and which requests may use it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../http/problem.ts';

/** `__Host-`: only over HTTPS (or on localhost), only for this host and all of its paths. */
export const sessionCookieName = '__Host-swarmdeck.session';

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';

export function sessionCookie({ value, maxAge }: { value: string; maxAge: number }): string {
  return `${sessionCookieName}=${value}; Max-Age=${maxAge}; ${attributes}`;
}

export const clearedSessionCookie = sessionCookie({ value: '', maxAge: 0 });

/** The raw value of the session cookie of a `Cookie` header, still URL-encoded. */
export function readSessionCookie(header: string | null): string | undefined {
  if (header === null) return undefined;
  let start = 0;
  while (start < header.length) {
    const end = header.indexOf(';', start);
    const stop = end === -1 ? header.length : end;
    while (header.charCodeAt(start) === 0x20) start += 1;
    if (header.startsWith(sessionCookieName, start) && header[start + sessionCookieName.length] === '=') {
      return header.slice(start + sessionCookieName.length + 1, stop).trimEnd();
    }
    start = stop + 1;
  }
  return undefined;
}

/**
 * A token of 32 characters with its signature has about 100 characters, URL-encoded. Base64 allows many encodings of one
 * signature: longer ones would fill the cache.
 */
const valueLength = 256;

const signatureOf = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest();

/** As Better Auth signs its cookies: `<token>.<base64 HMAC-SHA-256 of the token>`, URL-encoded. */
export const signToken = ({ token, secret }: { token: string; secret: string }): string =>
  encodeURIComponent(`${token}.${signatureOf(token, secret).toString('base64')}`);

/** The token of a value that was signed with `secret`; undefined for any other and for a too long one. */
export function verifySignedToken({ value, secret }: { value: string; secret: string }): string | undefined {
  if (value.length > valueLength) return undefined;
  const decoded = decode(value);
  const dot = decoded.lastIndexOf('.');
  if (dot < 1) return undefined;
  const token = decoded.slice(0, dot);
  const given = Buffer.from(decoded.slice(dot + 1), 'base64');
  const right = signatureOf(token, secret);
  return given.length === right.length && timingSafeEqual(given, right) ? token : undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

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
