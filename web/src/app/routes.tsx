import type { QueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { ComponentType } from 'react';
import { matchRoutes, Outlet, Route, Routes } from 'react-router';
import type { Params } from 'react-router';
import * as home from '../routes/home.tsx';
import { loadFirstTexts, loadTexts } from '../text/text.ts';
import { lazyPage } from '../ui/lazy.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { pages } from './pages.ts';
import { Shell } from './shell.tsx';

interface PageModule {
  Component: ComponentType;
  /** Requests the data of the page before it renders. */
  prefetch?(client: QueryClient, params: Params): void;
}

const files = import.meta.glob<PageModule>(['../routes/*.tsx', '!../routes/home.tsx']);

/** The home page is part of the app. Each other page is a file of its own. */
const routes = Object.entries(pages).map(([path, file]) => {
  const load = file === 'home' ? () => Promise.resolve<PageModule>(home) : files[`../routes/${file}.tsx`]!;
  const Component = file === 'home' ? home.Component : lazyPage(async () => (await load()).Component);
  return { path, load, Component };
});
const isSignIn = ({ path }: { path: string }) => path === '/sign-in';

/** Loads the page of the URL with its texts, and its data if there is a client. Also resolves if the page could not be loaded. */
export async function preload(client: QueryClient | null): Promise<void> {
  const match = matchRoutes(routes, location)?.at(-1);
  const loadPageTexts = match?.route.path === '/' ? loadFirstTexts : loadTexts;
  // opening the page shows the error
  const [page] = await Promise.all([match?.route.load().catch(() => undefined), loadPageTexts()]);
  if (client) page?.prefetch?.(client, match!.params);
}

const routeOf = ({ path, Component }: (typeof routes)[number]) => (
  <Route key={path} path={path} element={<Component />} />
);

/** Navigation is a transition: the page that is left stays on screen until the next one has loaded. */
export function AppRoutes() {
  return (
    <CrashBoundary>
      <Suspense>
        <Routes>
          {routes.filter(isSignIn).map(routeOf)}
          <Route
            element={
              <Shell>
                <Outlet />
              </Shell>
            }
          >
            {routes.filter((route) => !isSignIn(route)).map(routeOf)}
          </Route>
        </Routes>
      </Suspense>
    </CrashBoundary>
  );
}
