/** The cookie of a session: its name, its signed value, and whether a browser stores it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../http/loopback.ts';
import type { Secrets } from '../store/secret.ts';
import { cookieHeader } from './cookies.ts';

/** `__Host-`: only over HTTPS (or on localhost), only for this host and all of its paths. */
export const sessionCookieName = '__Host-swarmdeck.session';

function sessionCookie({ value, maxAge }: { value: string; maxAge: number }): string {
  return cookieHeader({ name: sessionCookieName, value, maxAge });
}

export const clearedSessionCookie = sessionCookie({ value: '', maxAge: 0 });

/**
 * A token of 32 characters with its signature has about 100 characters, URL-encoded. Base64 allows many encodings of one
 * signature: longer ones would fill the cache.
 */
const valueLength = 256;

const signatureOf = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest();

/** `<token>.<base64 HMAC-SHA-256 of the token>`, URL-encoded. */
const signToken = ({ token, secret }: { token: string; secret: string }): string =>
  encodeURIComponent(`${token}.${signatureOf(token, secret).toString('base64')}`);

/** A `Set-Cookie` header with the token, signed with the first secret. `maxAge`: in seconds. */
export function signedCookie({ token, secrets, maxAge }: { token: string; secrets: Secrets; maxAge: number }): string {
  return sessionCookie({ value: signToken({ token, secret: secrets[0] }), maxAge });
}

/** The token of a value that was signed with one of the secrets. */
export const tokenOf = (value: string, secrets: Secrets): string | undefined =>
  secrets.map((secret) => verifySignedToken({ value, secret })).find((token) => token !== undefined);

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

/**
 * Whether a browser stores the `__Host-` cookie, which it does over HTTPS and on localhost. A request without `Origin`
 * does not come from a browser's form.
 */
export function keepsSecureCookies(request: Request): boolean {
  const origin = request.headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return true;
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'https:') return true;
  return hostname.endsWith('.localhost') || isLoopback(hostname);
}
