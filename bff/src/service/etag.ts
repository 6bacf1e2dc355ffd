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

/** If-Match: strong comparison, so a weak tag never matches. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return tags(header).includes(etag);
}

function tags(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
