/** Versions of records: their entity tags, and the conditions of a request. */
import { noneMatch, tagsIn } from '../http/etag.ts';
import { Problem } from '../problem.ts';
import type { ServiceContext } from './service-app.ts';

/** Entity tags of records: their version, strong. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * The version that a write expects by its If-Match; undefined for any version.
 * @throws `changed` if the current version is another one, or one that If-None-Match excludes (`*`: all)
 */
export function expectedVersion(
  c: ServiceContext,
  { version }: { version: number },
  changed: 'resource.changed' | 'swarm.changed',
): number | undefined {
  const etag = etagOf(version);
  if (!noneMatch(c.req.header('if-none-match'), etag))
    throw new Problem(changed, {
      detail: 'The record exists in a version that `If-None-Match` excludes',
      headers: { etag },
    });
  const header = c.req.header('if-match');
  if (header === undefined || header.trim() === '*') return undefined;
  // Strong comparison: a weak ETag never matches.
  if (!tagsIn(header).includes(etag)) throw new Problem(changed, { headers: { etag } });
  return version;
}
