/**
 * Serves the app's files from the browser's cache, so that the app opens without a network and without waiting for it.
 * It stores no data of users: requests to the API are not its business (app/stored-data.ts).
 */
import { clientsClaim } from 'workbox-core';
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { rewrittenLink } from '@swarmdeck/bff/first-rules';
import { fromNetwork } from './data/network-page.ts';
import { isFromServer } from './data/server-response.ts';
import { showNotices } from './service-worker-push.ts';

declare const self: {
  /** Written by the build (service-worker.plugin.ts). */
  __WB_MANIFEST: PrecacheEntry[];
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listen: (event: InstallEvent) => void): void;
};
/** https://developer.mozilla.org/docs/Web/API/InstallEvent/addRoutes */
interface InstallEvent {
  addRoutes?(rules: { condition: { urlPattern: string }; source: 'network' }): Promise<void>;
}

const cellFolder = /^\/assets\/(cells-[^/]+)\//;

// Chromium activates no new version while a request that has passed through the old one is open, as the live stream is.
self.addEventListener('install', (event) => {
  void event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' });
});

// A new page may open before the first one is closed: it would load from the network.
clientsClaim();
cleanupOutdatedCaches();
// A network in which the user has to sign in answers with its own page.
addPlugins([{ cacheWillUpdate: async ({ response }) => (response.ok && isFromServer(response) ? response : null) }]);
precacheAndRoute(self.__WB_MANIFEST);
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    // What asks for the network, what the server itself answers, the page of guests, whose headers the app does not have, and links
    // that it leads back.
    denylist: [
      fromNetwork,
      /^\/(?:api|auth|guest|view|service|docs|journeys|assets|healthz|readyz|\.well-known)(?:[/?]|$)/,
      rewrittenLink,
    ],
  }),
);

registerRoute(({ url }) => cellFolder.test(url.pathname), keptCell);

showNotices();

/** The cells of the map that were shown are kept, those of the newest version. */
async function keptCell({ request, url }: { request: Request; url: URL }): Promise<Response> {
  const [, folder = ''] = cellFolder.exec(url.pathname)!;
  const cache = await caches.open(folder);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (!response.ok || !isFromServer(response)) return response;
  await cache.put(request, response.clone()).catch(() => undefined);
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('cells-') && name !== folder).map((name) => caches.delete(name)),
  );
  return response;
}

// A new version waits until a page takes it (app/app-update.ts).
addEventListener('message', ({ data }) => data === 'take-over' && void self.skipWaiting());
