import { createHmac, timingSafeEqual } from 'node:crypto';

/** `__Host-`: only over https (or this machine), only for this host, never for a path or a parent domain. */
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
 * Better Auth signs its cookies as `<token>.<base64 HMAC-SHA-256 of the token>`, URL-encoded.
 * Gives the token of a value that was signed with `secret`, undefined for any other.
 */
export function verifySignedToken({ value, secret }: { value: string; secret: string }): string | undefined {
  const decoded = decode(value);
  const dot = decoded.lastIndexOf('.');
  if (dot < 1) return undefined;
  const token = decoded.slice(0, dot);
  const given = Buffer.from(decoded.slice(dot + 1), 'base64');
  const right = createHmac('sha256', secret).update(token).digest();
  return given.length === right.length && timingSafeEqual(given, right) ? token : undefined;
}

/** A token of 32 characters and its signature, URL-encoded, have about 100. */
const valueLength = 256;

/**
 * The same with a cache of verified values: a signature costs as much as the rest of a session's check. Base64 allows
 * any number of spellings of one signature, so longer values are rejected: they would fill the cache with 16 KiB each.
 */
export function createTokenReader({ secret }: { secret: string }): (value: string) => string | undefined {
  const rememberedAtMost = 10_000;
  const verified = new Map<string, string>();
  return (value) => {
    if (value.length > valueLength) return undefined;
    const known = verified.get(value);
    if (known !== undefined) return known;
    const token = verifySignedToken({ value, secret });
    if (token === undefined) return undefined;
    if (verified.size >= rememberedAtMost) verified.clear();
    // A copy: the value is a slice, which would keep the whole Cookie header in memory.
    verified.set(Buffer.from(value).toString(), token);
    return token;
  };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
