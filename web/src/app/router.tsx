import { Suspense, use } from 'react';
import type { ComponentType } from 'react';
import { Outlet, Route, Routes, matchPath } from 'react-router';
import { CrashBoundary } from './crash-boundary.tsx';
import { Shell } from './shell.tsx';

interface Page {
  path: string;
  load(): Promise<{ Component: ComponentType }>;
}

/** The one list of URLs. Each page is a file of its own and loads when it is first seen. */
const inside: Page[] = [
  { path: '/', load: () => import('../routes/home.tsx') },
  { path: '/devices/:id', load: () => import('../routes/device.tsx') },
  { path: '/swarms', load: () => import('../routes/swarms.tsx') },
  { path: '/swarms/:id', load: () => import('../routes/swarm.tsx') },
  { path: '/swarms/:id/map', load: () => import('../routes/swarm-wall.tsx') },
  { path: '/map', load: () => import('../routes/wall.tsx') },
  { path: '/import', load: () => import('../routes/import.tsx') },
  { path: '/invite', load: () => import('../routes/invite.tsx') },
  { path: '/invitations', load: () => import('../routes/invitations.tsx') },
  { path: '/account', load: () => import('../routes/account.tsx') },
];
const unknown: Page = { path: '*', load: () => import('../routes/not-found.tsx') };
const signIn: Page = { path: '/sign-in', load: () => import('../routes/sign-in.tsx') };

const loaded = new Map<Page, ReturnType<Page['load']>>();

/** Loads once. What did not arrive stays so until the app is loaded anew (crashed.tsx). */
function loadOnce(page: Page): ReturnType<Page['load']> {
  const known = loaded.get(page);
  if (known) return known;
  const loading = page.load();
  loaded.set(page, loading);
  return loading;
}

/** Starts loading the page of a URL at once, beside the app itself and not after it. */
export function preload(pathname: string): void {
  const page = [signIn, ...inside].find(({ path }) => matchPath(path, pathname)) ?? unknown;
  loadOnce(page).catch(() => undefined);
}

/** Fetches the other pages while nothing else is going on: then they open also while the service is away. */
export function preloadRest(): void {
  for (const page of inside) loadOnce(page).catch(() => undefined);
}

function LazyPage({ page }: { page: Page }) {
  const { Component } = use(loadOnce(page));
  return <Component />;
}

const routeOf = (page: Page) => (
  <Route key={page.path} path={page.path} element={<LazyPage key={page.path} page={page} />} />
);

export function AppRoutes() {
  return (
    <CrashBoundary>
      <Suspense>
        <Routes>
          {routeOf(signIn)}
          <Route
            element={
              <Shell>
                <Outlet />
              </Shell>
            }
          >
            {[...inside, unknown].map(routeOf)}
          </Route>
        </Routes>
      </Suspense>
    </CrashBoundary>
  );
}
