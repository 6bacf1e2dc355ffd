/** Content negotiation: RFC 9110, 12.5.1. */

/**
 * Whether a client prefers this type to JSON, which is the default. Of types with the same quality, it prefers the first. Wildcards
 * are for the default.
 */
export function prefersToJson(accept: string | undefined, type: string): boolean {
  if (!accept?.includes(type)) return false;
  const ranges = accept.split(',').map(rangeOf);
  const wanted = ranges.findIndex((range) => range.type === type);
  const json = ranges.findIndex((range) => range.type === 'application/json');
  if (wanted === -1 || ranges[wanted]!.quality === 0) return false;
  if (json === -1) return true;
  const more = ranges[wanted]!.quality - ranges[json]!.quality;
  return more === 0 ? wanted < json : more > 0;
}

function rangeOf(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
}
