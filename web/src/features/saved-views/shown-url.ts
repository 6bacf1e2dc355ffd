/** The address of what is on the screen, as a view keeps it: which pages have one, and what of theirs belongs to it. */

const names: Record<'list' | 'wall', readonly string[]> = {
  list: ['q', 'machine_type', 'swarm', 'placed', 'sort', 'bbox', 'in_view', 'map'],
  wall: ['machine_type', 'resource_type', 'map', 'colour', 'sel', 'follow'],
};

interface Place {
  kind: 'list' | 'wall';
  /** Whose wall it is. */
  swarm: string | null;
}

export function placeOf(pathname: string): Place | null {
  if (pathname === '/') return { kind: 'list', swarm: null };
  const [, swarm] = /^\/swarms\/([^/]+)\/map$/.exec(pathname) ?? [];
  return swarm || pathname === '/map' ? { kind: 'wall', swarm: swarm ?? null } : null;
}

/** Null on pages that are no view. Whatever else the address holds, a language say, stays out. */
export function shownUrl({ pathname, search }: { pathname: string; search: string }): string | null {
  const place = placeOf(pathname);
  if (!place) return null;
  const params = new URLSearchParams(search);
  const kept = new URLSearchParams();
  for (const name of names[place.kind]) {
    const value = params.get(name);
    // of a wall's layers none may be on
    const none = place.kind === 'wall' && name.endsWith('_type');
    if (value || (none && value === '')) kept.set(name, value);
  }
  // a device that is looked at is no part of a view, one that is followed is
  if (kept.get('follow') !== '1') for (const name of ['sel', 'follow']) kept.delete(name);
  return kept.size > 0 ? `${pathname}?${kept.toString()}` : pathname;
}

export function partsOf(url: string): { pathname: string; params: URLSearchParams } {
  const [pathname = '', search = ''] = url.split('?');
  return { pathname, params: new URLSearchParams(search) };
}

/** A map that came to rest stands on whole pixels: what is nearer than two of them is the same place. */
const samePixels = 2;
const sameZoom = 0.02;

/** Whether both show the same. */
export function isSameView(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  const known = new Set([...a.params.keys(), ...b.params.keys()].filter((name) => name !== 'map'));
  const alike = [...known].every((name) => sorted(a.params.get(name)) === sorted(b.params.get(name)));
  return a.pathname === b.pathname && alike && isSamePlace(a.params.get('map'), b.params.get('map'));
}

/** A list of chosen ones says the same in any order. */
const sorted = (text: string | null) => text?.split(',').toSorted().join(',');

function isSamePlace(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  const [[zoom = 0, lat = 0, lng = 0], [otherZoom = 0, otherLat = 0, otherLng = 0]] = [one, other].map((text) =>
    text.split('/').map(Number),
  ) as [number[], number[]];
  const pixelsPerDegree = (256 * 2 ** zoom) / 360;
  const away = Math.max(Math.abs(lat - otherLat) / Math.cos((lat * Math.PI) / 180), Math.abs(lng - otherLng));
  return Math.abs(zoom - otherZoom) < sameZoom && away * pixelsPerDegree < samePixels;
}
