import { lazy } from 'react';
import type { ComponentType } from 'react';
import { Route, Routes, matchPath } from 'react-router';
import { Shell } from './shell.tsx';

interface RouteModule {
  Component: ComponentType;
}

/** The one list of URLs. Each page is a file of its own and loads when it is first seen. */
const pages: { path: string; load(): Promise<RouteModule> }[] = [
  { path: '/', load: () => import('../routes/home.tsx') },
  { path: '/devices/:id', load: () => import('../routes/device.tsx') },
  { path: '/swarms', load: () => import('../routes/swarms.tsx') },
  { path: '/swarms/:id', load: () => import('../routes/swarms.tsx') },
  { path: '/invitations', load: () => import('../routes/invitations.tsx') },
  { path: '/account', load: () => import('../routes/account.tsx') },
];
const outside = { path: '/sign-in', load: (): Promise<RouteModule> => import('../routes/sign-in.tsx') };
const unknown = { path: '*', load: (): Promise<RouteModule> => import('../routes/not-found.tsx') };

const page = ({ path, load }: { path: string; load(): Promise<RouteModule> }) => {
  const Page = lazy(async () => ({ default: (await load()).Component }));
  return <Route key={path} path={path} element={<Page />} />;
};
const inside = [...pages, unknown].map(page);
const outsidePage = page(outside);

/** Starts loading the page of a URL at once, beside the app itself and not after it. */
export function preload(pathname: string): void {
  const match = [...pages, outside].find(({ path }) => matchPath(path, pathname));
  void match?.load().catch(() => undefined);
}

export function AppRoutes() {
  return (
    <Routes>
      {outsidePage}
      <Route element={<Shell />}>{inside}</Route>
    </Routes>
  );
}
