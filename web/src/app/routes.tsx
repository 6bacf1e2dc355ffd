import { memo, Suspense, type ComponentType } from 'react';
import { useLocation, type Params } from 'react-router';
import { lazyPage } from '../ui/pages/lazy.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { pages } from './pages.ts';
import { Shell } from './shell.tsx';

interface PageModule {
  /** Its props are the parameters of its path. */
  Component: ComponentType<Params>;
  /** Loads the parts that it shows first. */
  preload?(): Promise<void>;
}

const files = import.meta.glob<PageModule>(['../routes/*.tsx', '!../routes/{*-foot,new-share-link,*.test}.tsx']);

/**
 * Each page is a file of its own. `memo`: a change of the URL renders a page only if its parameters change, or if the page
 * reads the URL itself.
 */
const routes = Object.entries(pages).map(([path, { file, isPublic = false }]) => {
  const load = files[`../routes/${file}.tsx`]!;
  const Component = lazyPage(async () => {
    const page = await load();
    await page.preload?.();
    return page.Component;
  });
  const pattern = new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)').replace('*', '.*')}/*$`, 'i');
  return { path, pattern, isPublic, Page: memo(Component), preload: Component.preload };
});

/** The route of a path, and its parameters. */
function routeOf(pathname: string) {
  const route = routes.find(({ pattern }) => pattern.test(pathname))!;
  const parameters = Object.entries(route.pattern.exec(pathname)!.groups ?? {});
  return { ...route, params: Object.fromEntries(parameters.map(([name, value]) => [name, decoded(value)])) };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Loads the page of the URL. If it could not be loaded, rendering it shows the error. */
export async function preloadPage(): Promise<void> {
  await routeOf(location.pathname).preload();
}

/**
 * Navigation is a transition: the page that is left stays on screen until the next one has loaded. The `Routes` and
 * `matchRoutes` of react-router are not used: they bring along what a framework has, such as data, errors and redirects.
 */
export function AppRoutes() {
  const { Page, params, path, isPublic } = routeOf(useLocation().pathname);
  const page = <Page {...params} />;
  return (
    <CrashBoundary>
      <Suspense>{isPublic ? page : <Shell signedOutPage={path === '*' ? page : undefined}>{page}</Shell>}</Suspense>
    </CrashBoundary>
  );
}
