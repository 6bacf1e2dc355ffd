import { Suspense, type ComponentType } from 'react';
import { matchRoutes, Outlet, Route, Routes } from 'react-router';
import * as home from '../routes/home.tsx';
import { completeTexts } from '../text/text.ts';
import { lazyPage } from '../ui/lazy.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { pages } from './pages.ts';
import { Shell } from './shell.tsx';

interface PageModule {
  Component: ComponentType;
}

const files = import.meta.glob<PageModule>(['../routes/*.tsx', '!../routes/home.tsx', '!../routes/*.test.tsx']);

/** The home page is part of the app. Each other page is a file of its own. */
const routes = Object.entries(pages).map(([path, { file, isPublic = false }]) => {
  if (file === 'home') return { path, isPublic, Component: home.Component, preload: home.preload };
  const load = files[`../routes/${file}.tsx`]!;
  const Component = lazyPage(async () => (await load()).Component);
  // The texts also if the page cannot be loaded.
  const preload = async () => void (await Promise.all([Component.preload(), completeTexts()]));
  return { path, isPublic, Component, preload };
});

/** Loads the page of the URL with its texts. If it could not be loaded, rendering it shows the error. */
export async function preloadPage(): Promise<void> {
  await matchRoutes(routes, location)?.at(-1)?.route.preload();
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
          {routes.filter(({ isPublic }) => isPublic).map(routeOf)}
          <Route
            element={
              <Shell>
                <Outlet />
              </Shell>
            }
          >
            {routes.filter(({ isPublic }) => !isPublic).map(routeOf)}
          </Route>
        </Routes>
      </Suspense>
    </CrashBoundary>
  );
}
