const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** A `Set-Cookie` header. `maxAge`: in seconds. */
export function cookieHeader({ name, value, maxAge }: { name: string; value: string; maxAge: number }): string {
  return `${name}=${value}; Max-Age=${maxAge}; ${attributes}`;
}

/** The raw value of a cookie of a `Cookie` header, still URL-encoded. */
export function readCookie(header: string | null, name: string): string | undefined {
  if (header === null) return undefined;
  let start = 0;
  while (start < header.length) {
    const endIndex = header.indexOf(';', start);
    const stop = endIndex === -1 ? header.length : endIndex;
    while (header.charCodeAt(start) === 0x20) start += 1;
    if (header.startsWith(name, start) && header[start + name.length] === '=') {
      return header.slice(start + name.length + 1, stop).trimEnd();
    }
    start = stop + 1;
  }
  return undefined;
}

/** The names of the cookies of a `Cookie` header. Browsers send older cookies first. */
export const cookieNames = (header: string | null): string[] =>
  (header ?? '').split(';').map((pair) => pair.split('=', 1)[0]!.trim());
