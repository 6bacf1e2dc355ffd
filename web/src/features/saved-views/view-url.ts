/** The URL that a saved view stores: the pages that can be a view, and their parameters that belong to it. */

const names: Record<'list' | 'wall', readonly string[]> = {
  list: ['audience', 'q', 'machine_type', 'presence', 'swarm', 'placed', 'refused', 'sort', 'bbox', 'in_view', 'map'],
  wall: ['machine_type', 'resource_type', 'presence', 'map', 'colour', 'sel', 'follow'],
};

interface ViewPage {
  kind: 'list' | 'wall';
  /** The swarm of a wall. */
  swarm: string | null;
}

export function viewPageOf(pathname: string): ViewPage | null {
  if (pathname === '/') return { kind: 'list', swarm: null };
  const [, swarm] = /^\/swarms\/([^/]+)\/map$/.exec(pathname) ?? [];
  return swarm || pathname === '/map' ? { kind: 'wall', swarm: swarm ?? null } : null;
}

/** Null on pages that cannot be a view. Other parameters are left out. */
export function viewUrlOf({ pathname, search }: { pathname: string; search: string }): string | null {
  const page = viewPageOf(pathname);
  if (!page) return null;
  const params = new URLSearchParams(search);
  const result = new URLSearchParams();
  for (const name of names[page.kind]) {
    const value = params.get(name);
    // An empty value turns all layers of a wall off.
    const none = page.kind === 'wall' && name.endsWith('_type');
    if (value || (none && value === '')) result.set(name, value);
  }
  // The selected device belongs to the view only if the map follows it.
  if (result.get('follow') !== '1') for (const name of ['sel', 'follow']) result.delete(name);
  return result.size > 0 ? `${pathname}?${result.toString()}` : pathname;
}

export function partsOf(url: string): { pathname: string; params: URLSearchParams } {
  const [pathname = '', search = ''] = url.split('?');
  return { pathname, params: new URLSearchParams(search) };
}

/** In px. A map at rest is rounded to whole pixels, so nearer views are the same. */
const samePixels = 2;
const sameZoom = 0.02;

/** Whether two URLs show the same view. */
export function isSameView(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  const known = new Set([...a.params.keys(), ...b.params.keys()].filter((name) => name !== 'map'));
  const alike = [...known].every((name) => sorted(a.params.get(name)) === sorted(b.params.get(name)));
  return a.pathname === b.pathname && alike && isSamePlace(a.params.get('map'), b.params.get('map'));
}

/** The order of a list of values does not matter. */
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
