import { Suspense, use } from 'react';
import type { ComponentType } from 'react';
import { Route, Routes, matchPath } from 'react-router';
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
  { path: '/swarms/:id', load: () => import('../routes/swarms.tsx') },
  { path: '/invitations', load: () => import('../routes/invitations.tsx') },
  { path: '/account', load: () => import('../routes/account.tsx') },
  { path: '*', load: () => import('../routes/not-found.tsx') },
];
const signIn: Page = { path: '/sign-in', load: () => import('../routes/sign-in.tsx') };

const loaded = new Map<Page, ReturnType<Page['load']>>();

/** Loads once; what failed to arrive is asked for again the next time. */
function loadOnce(page: Page): ReturnType<Page['load']> {
  const known = loaded.get(page);
  if (known) return known;
  const loading = page.load();
  loaded.set(page, loading);
  loading.catch(() => loaded.delete(page));
  return loading;
}

/** Starts loading the page of a URL at once, beside the app itself and not after it. */
export function preload(pathname: string): void {
  const page = [signIn, ...inside].find(({ path }) => matchPath(path, pathname));
  if (page) loadOnce(page).catch(() => undefined);
}

function LazyPage({ page }: { page: Page }) {
  const { Component } = use(loadOnce(page));
  return <Component />;
}

const route = (page: Page) => <Route key={page.path} path={page.path} element={<LazyPage page={page} />} />;

export function AppRoutes() {
  return (
    <CrashBoundary>
      <Suspense>
        <Routes>
          {route(signIn)}
          <Route element={<Shell />}>{inside.map(route)}</Route>
        </Routes>
      </Suspense>
    </CrashBoundary>
  );
}
