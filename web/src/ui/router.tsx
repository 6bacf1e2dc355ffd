/**
 * What this app needs of a router, over the browser's own history. The package of that name costs 11 kB of the 150
 * that a first map may weigh (README, decisions); names and manners are its own, so that it can come back.
 */
import { createContext, startTransition, use, useCallback, useEffect, useMemo, useState } from 'react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';

export interface Place {
  pathname: string;
  search: string;
  hash: string;
  /** What whoever led here wanted to hand over; it stays with the entry of the history. */
  state: unknown;
}

/** A path of this app, or what of the present one is to be replaced. */
export type To = string | { pathname?: string; search?: string; hash?: string };

export interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
}

export type NavigateFunction = (to: To, options?: NavigateOptions) => void;

const Router = createContext<{ place: Place; navigate: NavigateFunction } | null>(null);
const Params = createContext<Record<string, string>>({});

const here = (): Place => {
  const { pathname, search, hash } = location;
  return { pathname, search, hash, state: history.state as unknown };
};

function hrefOf(to: To): string {
  const url = new URL(location.href);
  if (typeof to === 'string') return new URL(to, url).href;
  url.search = to.search ?? '';
  url.hash = to.hash ?? '';
  url.pathname = to.pathname ?? url.pathname;
  return url.href;
}

export function RouterProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(here);
  // in a transition: the page in sight stays until the next one has arrived
  const follow = useCallback(() => startTransition(() => setPlace(here())), []);
  useEffect(() => {
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [follow]);
  const navigate = useCallback<NavigateFunction>(
    (to, { replace = false, state = null } = {}) => {
      history[replace ? 'replaceState' : 'pushState'](state, '', hrefOf(to));
      follow();
    },
    [follow],
  );
  const router = useMemo(() => ({ place, navigate }), [place, navigate]);
  return <Router value={router}>{children}</Router>;
}

function useRouter() {
  const router = use(Router);
  if (!router) throw new Error('RouterProvider is missing');
  return router;
}

export function useLocation(): Place {
  return useRouter().place;
}

export function useNavigate(): NavigateFunction {
  return useRouter().navigate;
}

/** The query of the present URL, and how to write another one in its place. */
export function useSearchParams(): [URLSearchParams, (next: URLSearchParams, options?: NavigateOptions) => void] {
  const { place, navigate } = useRouter();
  const params = useMemo(() => new URLSearchParams(place.search), [place.search]);
  const set = useCallback(
    (next: URLSearchParams, options?: NavigateOptions) => navigate({ search: next.toString() }, options),
    [navigate],
  );
  return [params, set];
}

export function ParamsProvider({ value, children }: { value: Record<string, string>; children: ReactNode }) {
  return <Params value={value}>{children}</Params>;
}

export function useParams(): Record<string, string | undefined> {
  return use(Params);
}

/** An anchor that stays in the app; with a modifier key, another button or a target it is the browser's. */
export function Link({
  to,
  replace = false,
  state,
  onClick,
  children,
  ...anchor
}: Omit<ComponentProps<'a'>, 'href'> & NavigateOptions & { to: To }) {
  const { navigate } = useRouter();
  const href = hrefOf(to).slice(location.origin.length);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.altKey && !event.ctrlKey && !event.shiftKey;
    if (event.defaultPrevented || !plain || (anchor.target && anchor.target !== '_self')) return;
    event.preventDefault();
    const same = event.currentTarget.href === location.href;
    navigate(to, { replace: replace || same, state });
  };
  return (
    <a {...anchor} href={href} onClick={follow}>
      {children}
    </a>
  );
}

/** Goes elsewhere as soon as it is drawn. */
export function Navigate({ to, replace = false }: { to: To; replace?: boolean }) {
  const { navigate } = useRouter();
  useEffect(() => navigate(to, { replace }), [navigate, to, replace]);
  return null;
}
