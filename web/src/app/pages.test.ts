import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionsQuery } from '../features/account/account-page.api.ts';
import { keysQuery } from '../features/keys/keys.api.ts';
import { newestActivityQuery } from '../features/activity/activity.api.ts';
import { invitationPagesQuery } from '../features/invitations/invitations.api.ts';
import { mapViewQuery, wholeWorld } from '../features/map/map.api.ts';
import { deviceRecordQuery, deviceSwarmsQuery } from '../features/devices/device.api.ts';
import { homeUrl, listAudience } from '../features/devices/device-filters.ts';
import { devicePagesQuery } from '../features/devices/devices.api.ts';
import { passkeysQuery } from '../features/sign-in/passkeys/passkeys.api.ts';
import { identitiesQuery } from '../features/sign-in/providers/providers.api.ts';
import { recoveryCodesQuery } from '../features/sign-in/recovery/recovery.api.ts';
import { totpQuery } from '../features/sign-in/second-factor/totp.api.ts';
import { signInOptionsQuery } from '../features/sign-in/sign-in.api.ts';
import { swarmListQuery, swarmQuery } from '../features/swarms/swarms.api.ts';
import { phone } from '../ui/browser/media.ts';
import { pages } from './pages.ts';
import { preloads } from './preloads.ts';

afterEach(() => void vi.unstubAllGlobals());

const client = new QueryClient();
const id = '3f5';
const received = { box: 'received', q: '' } as const;
const mapOf = (audience: string) => client.fetchQuery(mapViewQuery({ filters: { audience }, viewport: wholeWorld }));
const maps: Record<string, () => unknown> = {
  '/': () => mapOf('own'),
  '/swarms/:id': () => mapOf(`swarm:${id}`),
  '/swarms/:id/map': () => mapOf(`swarm:${id}`),
  '/map': () => mapOf('visible'),
};
const requests: Record<string, () => unknown> = {
  '/': () => client.fetchInfiniteQuery(devicePagesQuery({ filters: {}, sort: 'name', bbox: null, start: null })),
  '/devices/:id': () =>
    Promise.all([client.fetchQuery(deviceRecordQuery(id)), client.fetchQuery(deviceSwarmsQuery(id))]),
  '/swarms': () => client.fetchInfiniteQuery(swarmListQuery('')),
  '/swarms/:id': () => client.fetchQuery(swarmQuery(id)),
  '/swarms/:id/map': () => client.fetchQuery(swarmQuery(id)),
  '/invitations': () =>
    Promise.all([
      client.fetchInfiniteQuery(invitationPagesQuery({ ...received, side: 'new' })),
      client.fetchInfiniteQuery(invitationPagesQuery({ ...received, side: 'answered' })),
    ]),
  '/account': () =>
    Promise.all([
      client.fetchQuery(keysQuery),
      client.fetchQuery(sessionsQuery),
      client.fetchQuery(passkeysQuery),
      client.fetchQuery(totpQuery),
      client.fetchQuery(identitiesQuery),
      client.fetchQuery(signInOptionsQuery),
      client.fetchQuery(recoveryCodesQuery),
      client.fetchInfiniteQuery(newestActivityQuery()),
    ]),
};

test('the data that is preloaded for a page is what its queries request', async () => {
  expect(Object.keys(pages)).toEqual(expect.arrayContaining(Object.keys(preloads)));
  for (const path of Object.keys(pages)) {
    const { data = [], map } = preloads[path] ?? {};
    client.clear();
    const requested: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(url);
      return Response.json({ items: [] });
    });
    await requests[path]?.();
    await maps[path]?.();
    expect(requested, path).toEqual([...data, ...(map ? [map] : [])].map((url) => url.replace(':id', id)));
  }
});

test('an id of an address that has slashes requests nothing else', async () => {
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(new URL(url, 'https://swarm.example').pathname);
    return Response.json({ items: [] });
  });
  const other = '../../auth/options';
  await Promise.all([
    client.fetchQuery(deviceRecordQuery(other)),
    client.fetchQuery(deviceSwarmsQuery(other)),
    client.fetchQuery(swarmQuery(other)),
  ]);
  expect(requested).toEqual([
    '/api/resources/..%2F..%2Fauth%2Foptions',
    '/api/resources/..%2F..%2Fauth%2Foptions/swarms',
    '/api/swarms/..%2F..%2Fauth%2Foptions/overview',
  ]);
});

const boot = readFileSync(`${import.meta.dirname}/../../public/boot.js`, 'utf8');

/** Opens a page as a browser does, of those that are in the HTML. Returns the URLs that are preloaded. */
function preloadedBy(url: string, listed: object[]): string[] {
  document.head.innerHTML = '<meta name="preload">';
  document.head.querySelector('meta')!.content = JSON.stringify({ texts: { en: ['/first-texts.js'] }, pages: listed });
  history.replaceState(null, '', url);
  runInThisContext(boot);
  const links = [...document.head.querySelectorAll<HTMLLinkElement>('link')];
  document.head.innerHTML = '';
  history.replaceState(null, '', '/');
  return links.map(({ href }) => href.replace(location.origin, ''));
}

test.each([
  ['a desk', false],
  ['a phone', true],
])('boot.js preloads the files of the page that is opened, on %s', (_device, isPhone) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: isPhone && query === phone }));
  const listed = Object.entries(pages).map(([path, page]) => ({
    path,
    data: [],
    files: [`/${page.file}.js`],
    texts: { en: [`/${page.file}-texts.js`], de: ['/german.js'] },
    phoneFiles: preloads[path]?.phone ? ['/phone.js'] : [],
    mapFiles: [],
  }));
  for (const { path, files, texts, phoneFiles } of listed) {
    const preloaded = preloadedBy(path.replace(/:\w+/, '3f5').replace('*', '/nowhere/else'), listed);
    expect(
      preloaded.filter((url) => url.endsWith('.js')),
      path,
    ).toEqual(['/first-texts.js', ...texts.en, ...files, ...(isPhone ? phoneFiles : [])]);
  }
});

test.each(['/', '/?lang=en', '/?map=4/53/10', '/?q=buoy'])(
  'boot.js requests of %s what the page requests, also if its list shows all devices',
  async (url) => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    localStorage.setItem('signed_in', 'yes');
    for (const audience of ['own', 'visible'] as const) {
      listAudience.set(audience);
      const { filters, sort, map } = homeUrl.read(new URL(url, location.origin).searchParams);
      client.clear();
      const requested: string[] = [];
      vi.stubGlobal('fetch', async (path: string) => {
        requested.push(path);
        return Response.json({ items: [] });
      });
      await client.fetchInfiniteQuery(devicePagesQuery({ filters, sort, bbox: null, start: null }));
      if (map === null) await mapOf(filters.audience ?? 'own');
      const home = { path: '/', files: [], phoneFiles: [], mapFiles: [], ...preloads['/'] };
      const preloaded = preloadedBy(url, [home]).filter((path) => !['/api/account', '/first-texts.js'].includes(path));
      expect(preloaded, audience).toEqual(url.includes('q=') ? [] : requested);
    }
    localStorage.clear();
    listAudience.set('auto');
  },
);
