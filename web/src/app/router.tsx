import type { ComponentType } from 'react';
import { Outlet, Route, Routes, matchPath } from 'react-router';
import { late } from '../ui/lazy-part.tsx';
import type { Late } from '../ui/lazy-part.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { Shell } from './shell.tsx';

interface Page {
  path: string;
  Component: Late<object>;
}

const page = (path: string, load: () => Promise<{ Component: ComponentType }>): Page => ({
  path,
  Component: late(async () => (await load()).Component),
});

/** The one list of URLs. Each page is a file of its own and loads when it is first seen. */
const inside = [
  page('/', () => import('../routes/home.tsx')),
  page('/devices/:id', () => import('../routes/device.tsx')),
  page('/swarms', () => import('../routes/swarms.tsx')),
  page('/swarms/:id', () => import('../routes/swarm.tsx')),
  page('/swarms/:id/map', () => import('../routes/swarm-wall.tsx')),
  page('/map', () => import('../routes/wall.tsx')),
  page('/import', () => import('../routes/import.tsx')),
  page('/invite', () => import('../routes/invite.tsx')),
  page('/invitations', () => import('../routes/invitations.tsx')),
  page('/account', () => import('../routes/account.tsx')),
];
const unknown = page('*', () => import('../routes/not-found.tsx'));
const signIn = page('/sign-in', () => import('../routes/sign-in.tsx'));

/** Starts loading the page of a URL at once, beside the app itself and not after it. */
export function preload(pathname: string): void {
  const { Component } = [signIn, ...inside].find(({ path }) => matchPath(path, pathname)) ?? unknown;
  void Component.load();
}

const routeOf = ({ path, Component }: Page) => <Route key={path} path={path} element={<Component />} />;

export function AppRoutes() {
  return (
    <CrashBoundary>
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
    </CrashBoundary>
  );
}
