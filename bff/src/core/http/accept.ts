/** Content negotiation: RFC 9110, 12.5.1. */

/**
 * Whether a client prefers this type to the default. Of types with the same quality, it prefers the first. Wildcards are for the
 * default.
 */
export function prefers(accept: string | undefined, type: string, byDefault = 'application/json'): boolean {
  if (!accept?.includes(type)) return false;
  const ranges = accept.split(',').map(rangeOf);
  const wanted = ranges.findIndex((range) => range.type === type);
  const other = ranges.findIndex((range) => range.type === byDefault);
  if (wanted === -1 || ranges[wanted]!.quality === 0) return false;
  if (other === -1) return true;
  const more = ranges[wanted]!.quality - ranges[other]!.quality;
  return more === 0 ? wanted < other : more > 0;
}

/** What chooses the representation of a response. */
export const byAccept = { vary: 'Accept' };

function rangeOf(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
}
