import type { IncomingHttpHeaders } from 'node:http';

const hour = 3600_000;
const day = 24 * hour;
/** Tile servers ask for a week where they say nothing. */
const untold = 7 * day;
/** A server that means to be asked each time is asked by the hour: its tiles are not news. */
const shortest = hour;
/** The world changes: no tile is believed longer. */
const longest = 30 * day;

/** How long an answer is good, in ms; undefined: it may not be kept at all. */
export function lifetimeOf(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const directives = (headers['cache-control'] ?? '').toLowerCase().split(',');
  const valueOf = (name: string) => directives.map((each) => each.trim().split('=')).find(([key]) => key === name);
  if (valueOf('no-store')) return undefined;
  if (valueOf('no-cache')) return shortest;
  const seconds = Number((valueOf('s-maxage') ?? valueOf('max-age'))?.[1]?.replaceAll('"', ''));
  const age = Number(headers.age ?? 0) || 0;
  const expires = Date.parse(headers.expires ?? '') - now.getTime();
  const told = Number.isFinite(seconds) ? (seconds - age) * 1000 : expires;
  return Number.isNaN(told) ? untold : Math.min(longest, Math.max(shortest, told));
}

/** `Retry-After` in ms, as seconds or as a date. */
export function retryAfterOf(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const text = headers['retry-after'];
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
