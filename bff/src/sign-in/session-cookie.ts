import { createHmac, timingSafeEqual } from 'node:crypto';

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
 * Better Auth signs its cookies as `<token>.<base64 HMAC-SHA-256 of the token>`, URL-encoded. Returns the token of a
 * value that was signed with `secret`, undefined for any other.
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

/** A token of 32 characters with its signature, URL-encoded, has about 100 characters. */
const valueLength = 256;

/**
 * `verifySignedToken` with a cache of verified values, because the signature costs as much as the rest of the session
 * check. Base64 allows many encodings of one signature, so longer values are rejected: they would fill the cache.
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
