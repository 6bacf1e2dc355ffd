import { t } from '../../text/text.ts';

/**
 * The target after sign-in: a path of this app, never another site. `place` is the name of the page, or null for the
 * home page.
 */
export function redirectTargetOf(next: string | null): { path: string; place: string | null } {
  const home = { path: '/', place: null };
  if (next === null) return home;
  const url = URL.parse(next, location.origin);
  if (!url || url.origin !== location.origin || !next.startsWith('/') || url.pathname === '/sign-in') return home;
  const path = url.pathname + url.search + url.hash;
  // The parser removes dot segments: `/.//host` becomes `//host`, which is another site.
  if (path.startsWith('//')) return home;
  return path === '/' ? home : { path, place: placeOf(url.pathname) };
}

/** The same page without the place where the former user of the browser has looked. */
export function withoutPlace(path: string): string {
  const { pathname, searchParams, hash } = new URL(path, location.origin);
  if (!searchParams.has('map') && !searchParams.has('bbox')) return path;
  for (const name of ['map', 'bbox']) searchParams.delete(name);
  const query = searchParams.toString();
  return `${pathname}${query && `?${query}`}${hash}`;
}

function placeOf(pathname: string): string {
  const [, first = ''] = pathname.split('/');
  const { devices, swarms, invitations, account } = t.shell.destinations;
  const names: Record<string, string> = {
    '': devices,
    devices,
    swarms,
    invitations,
    account,
    ...t.account.sign_in.next_pages,
  };
  return (Object.hasOwn(names, first) ? names[first] : undefined) ?? t.account.sign_in.next_page;
}
