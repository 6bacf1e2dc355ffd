/** Entity tags: RFC 9110, 8.8.3 and 13.1. */

const tagsAtMost = 100;

/**
 * Whether a client with this If-None-Match needs the response. Weak comparison, also because a proxy that compresses makes
 * a tag weak.
 */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true;
  const plain = etag.replace(/^W\//, '');
  return header.trim() !== '*' && !tagsIn(header).some((tag) => tag.replace(/^W\//, '') === plain);
}

/** The first tags, because a header of 16 KB may have thousands. */
export function tagsIn(header: string): string[] {
  return header.split(',', tagsAtMost).map((tag) => tag.trim());
}
