/**
 * The header for a write to the version that was read. A proxy that compresses makes the tag weak, `W/"5"`, or adds a suffix,
 * `"5-gzip"`, and the server would refuse it: If-Match needs the tag that the server has sent, `"5"`.
 */
export function ifMatch(etag: string | null): Record<string, string> {
  if (etag === null) return {};
  const [, version] = /^(?:W\/)?"(\d+)(?:-[^"]*)?"$/.exec(etag) ?? [];
  return { 'if-match': version === undefined ? etag : `"${version}"` };
}
