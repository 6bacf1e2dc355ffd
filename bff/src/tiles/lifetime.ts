import type { IncomingHttpHeaders } from 'node:http';

const hour = 3600_000;
const day = 24 * hour;
/** The default of a week, as tile servers request in their policies. */
const unspecified = 7 * day;
/** The minimum, even with `no-cache`: tiles change slowly. */
const shortest = hour;
/** The maximum. */
const longest = 30 * day;

/** How long a response may be cached, in ms; undefined if it may not be cached at all. */
export function lifetimeOf(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const directives = (headers['cache-control'] ?? '').toLowerCase().split(',');
  const valueOf = (name: string) => directives.map((each) => each.trim().split('=')).find(([key]) => key === name);
  if (valueOf('no-store')) return undefined;
  if (valueOf('no-cache')) return shortest;
  const seconds = Number((valueOf('s-maxage') ?? valueOf('max-age'))?.[1]?.replaceAll('"', ''));
  const age = Number(headers.age ?? 0) || 0;
  const expires = Date.parse(headers.expires ?? '') - now.getTime();
  const lifetime = Number.isFinite(seconds) ? (seconds - age) * 1000 : expires;
  return Number.isNaN(lifetime) ? unspecified : Math.min(longest, Math.max(shortest, lifetime));
}

/** `Retry-After` in ms, as seconds or as a date. */
export function retryAfterOf(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const text = headers['retry-after'];
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
