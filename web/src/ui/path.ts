/** The parameters when a path is of a pattern, `/devices/:id`; null when it is not. `*` is any path. */
export function matchPath({ pattern, pathname }: { pattern: string; pathname: string }): Record<string, string> | null {
  if (pattern === '*') return {};
  const wanted = segments(pattern);
  const given = segments(pathname);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decoded(value);
    else if (part !== value) return null;
  }
  return params;
}

const segments = (path: string) => path.split('/').filter(Boolean);

/** A path typed by hand may hold a percent sign that encodes nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
