import { Problem } from '../http/problem.ts';

/** Entity tags of records: their version, strong. RFC 9110, 8.8.3 and 13.1. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** If-None-Match: weak comparison. */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true;
  const plain = etag.replace(/^W\//, '');
  return header.trim() !== '*' && !tags(header).some((tag) => tag.replace(/^W\//, '') === plain);
}

/**
 * The version that a write expects by its If-Match; undefined for any version.
 * @throws `changed` if the current version is another one
 */
export function expectedVersion({
  header,
  version,
  changed,
}: {
  header: string | undefined;
  version: number;
  changed: 'resource.changed' | 'swarm.changed';
}): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const etag = etagOf(version);
  // Strong comparison: a weak ETag never matches.
  if (!tags(header).includes(etag)) throw new Problem(changed, { headers: { etag } });
  return version;
}

function tags(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
