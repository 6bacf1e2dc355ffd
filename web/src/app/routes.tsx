import { memo, Suspense, type ComponentType } from 'react';
import { matchRoutes, useLocation, type Params } from 'react-router';
import * as home from '../routes/home.tsx';
import { lazyPage } from '../ui/lazy.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { pages } from './pages.ts';
import { Shell } from './shell.tsx';

interface PageModule {
  /** Its props are the parameters of its path. */
  Component: ComponentType<Params>;
}

const files = import.meta.glob<PageModule>(['../routes/*.tsx', '!../routes/home.tsx', '!../routes/*.test.tsx']);

/**
 * The home page is part of the app. Each other page is a file of its own. `memo`: a change of the URL renders a page only
 * if its parameters change, or if the page reads the URL itself.
 */
const routes = Object.entries(pages).map(([path, { file, isPublic = false }]) => {
  if (file === 'home') return { path, isPublic, Page: memo(home.Component), preload: home.preload };
  const load = files[`../routes/${file}.tsx`]!;
  const Component = lazyPage(async () => (await load()).Component);
  return { path, isPublic, Page: memo(Component), preload: Component.preload };
});

/** Loads the page of the URL. If it could not be loaded, rendering it shows the error. */
export async function preloadPage(): Promise<void> {
  await matchRoutes(routes, location)?.at(-1)?.route.preload();
}

/**
 * Navigation is a transition: the page that is left stays on screen until the next one has loaded. The `Routes` of
 * react-router are not used: they bring along those of a framework, with their data, errors and redirects.
 */
export function AppRoutes() {
  const match = matchRoutes(routes, useLocation())?.at(-1);
  if (!match) return null;
  const { route, params } = match;
  const page = <route.Page {...params} />;
  return (
    <CrashBoundary>
      <Suspense>
        {route.isPublic ? page : <Shell signedOutPage={route.path === '*' ? page : undefined}>{page}</Shell>}
      </Suspense>
    </CrashBoundary>
  );
}
