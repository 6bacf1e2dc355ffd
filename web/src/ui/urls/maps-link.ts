/**
 * The link that opens a position in the maps app of the system, or else on OpenStreetMap. `name` labels its pin, except on
 * OpenStreetMap.
 */
export function mapsLink(
  { latitude, longitude }: { latitude: number; longitude: number },
  name: string,
  agent = navigator.userAgent,
): string {
  const at = `${latitude},${longitude}`;
  // A bracket would end the label of a `geo:` link.
  const label = encodeURIComponent(name.replaceAll(/[()]/g, ' '));
  if (agent.includes('Android')) return `geo:${at}?q=${at}(${label})`;
  if (/iPhone|iPad|Macintosh/.test(agent)) return `https://maps.apple.com/?ll=${at}&q=${label}`;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
}
