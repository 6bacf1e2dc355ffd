import { Suspense, use } from 'react';
import type { ComponentType } from 'react';
import { matchPath } from '../ui/path.ts';
import { ParamsProvider, useLocation } from '../ui/router.tsx';
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
];
const unknown: Page = { path: '*', load: () => import('../routes/not-found.tsx') };
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

function pageAt(pathname: string): { page: Page; params: Record<string, string> } {
  for (const page of [signIn, ...inside]) {
    const params = matchPath({ pattern: page.path, pathname });
    if (params) return { page, params };
  }
  return { page: unknown, params: {} };
}

/** Starts loading the page of a URL at once, beside the app itself and not after it. */
export function preload(pathname: string): void {
  loadOnce(pageAt(pathname).page).catch(() => undefined);
}

function LazyPage({ page }: { page: Page }) {
  const { Component } = use(loadOnce(page));
  return <Component />;
}

export function AppRoutes() {
  const { pathname } = useLocation();
  const { page, params } = pageAt(pathname);
  const shown = <LazyPage key={page.path} page={page} />;
  return (
    <CrashBoundary>
      <Suspense>
        <ParamsProvider value={params}>{page === signIn ? shown : <Shell>{shown}</Shell>}</ParamsProvider>
      </Suspense>
    </CrashBoundary>
  );
}
