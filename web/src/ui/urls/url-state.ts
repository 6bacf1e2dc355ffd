import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** How a part of a page's state is written in the query of its URL. Other parameters stay as they are. */
export interface UrlCodec<State extends object> {
  read(params: URLSearchParams): State;
  /** Every parameter of the codec; `undefined` removes it. */
  write(state: State): Record<string, string | undefined>;
}

type Change<State> = Partial<State> | ((now: State) => Partial<State>);
export type SetUrlState<State> = (change: Change<State>, options?: { push?: boolean; state?: unknown }) => void;

/** The state as the URL has it now. Keys may be pressed before the page has rendered the last change. */
export function readUrl<State extends object>(codec: UrlCodec<State>): State {
  return codec.read(new URLSearchParams(location.search));
}

interface ChangeParamsOptions<State extends object> {
  codec: UrlCodec<State>;
  params: URLSearchParams;
  change: Change<State>;
}

/** The parameters after a change. */
export function changeParams<State extends object>({
  codec,
  params,
  change,
}: ChangeParamsOptions<State>): URLSearchParams {
  const next = new URLSearchParams(params);
  const now = codec.read(params);
  const state = { ...now, ...(typeof change === 'function' ? change(now) : change) };
  for (const [name, value] of Object.entries(codec.write(state))) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/**
 * State in the URL. A change is applied to the URL as it is now, not as it was rendered. It replaces the history entry,
 * because Back should lead to the page before; `push` adds an entry. `state` is that of the entry, without it none.
 */
export function useUrlState<State extends object>(codec: UrlCodec<State>): [State, SetUrlState<State>] {
  const { pathname, search: rendered } = useLocation();
  const navigate = useNavigate();
  // While the next page loads, this one is still rendered.
  const search = location.pathname === pathname ? location.search : rendered;
  const state = useMemo(() => codec.read(new URLSearchParams(search)), [codec, search]);
  const setState = useCallback<SetUrlState<State>>(
    (change, { push = false, state } = {}) => {
      // A map that settles after the user has left its page must not bring the page back.
      if (location.pathname !== pathname) return;
      const params = new URLSearchParams(location.search);
      const search = changeParams({ codec, params, change }).toString();
      if (search !== params.toString()) void navigate({ search }, { replace: !push, state });
    },
    [codec, navigate, pathname],
  );
  return [state, setState];
}

/** One text, empty if the URL does not have it. */
export function textCodec<Name extends string>(name: Name): UrlCodec<Record<Name, string>> {
  return {
    read: (params) => ({ [name]: params.get(name) ?? '' }) as Record<Name, string>,
    write: (state) => ({ [name]: state[name] || undefined }),
  };
}
