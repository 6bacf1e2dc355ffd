/** Entity tags: RFC 9110, 8.8.3 and 13.1. */

const tagsAtMost = 100;

/** What proxies add to the tag of a response that they compress: Apache `-gzip`, Jetty `--gzip`. */
const codingSuffix = /-{1,2}(?:gzip|br|zstd|deflate)"$/;

/**
 * Whether a client with this If-None-Match needs the response. Weak comparison, also because a proxy that compresses makes
 * a tag weak, or adds the name of the coding to it.
 */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true;
  const plain = opaque(etag);
  const isSame = (tag: string) => tag === plain || tag.replace(codingSuffix, '"') === plain;
  return header.trim() !== '*' && !tagsIn(header).some((tag) => isSame(opaque(tag)));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');

/** The first tags, because a header of 16 KB may have thousands. */
export function tagsIn(header: string): string[] {
  return header.split(',', tagsAtMost).map((tag) => tag.trim());
}
