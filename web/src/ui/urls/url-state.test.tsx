import { act, useLayoutEffect, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HistoryRouter } from './router.tsx';
import { readUrl, textCodec, useUrlState, type UrlCodec } from './url-state.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const codec: UrlCodec<{ q: string; page: number }> = {
  read: (params) => ({ q: params.get('q') ?? '', page: Number(params.get('page') ?? 1) }),
  write: ({ q, page }) => ({ q: q || undefined, page: page === 1 ? undefined : String(page) }),
};

let unmount = () => {};
let used: ReturnType<typeof useUrlState<{ q: string; page: number }>>;
let navigate: ReturnType<typeof useNavigate>;
// Adds a history entry, which removes the forward entries of other tests.
beforeEach(() => history.pushState(null, '', '/devices?q=old&map=1'));
afterEach(() => unmount());

function Page(): ReactNode {
  const state = useUrlState(codec);
  const go = useNavigate();
  useLayoutEffect(() => {
    used = state;
    navigate = go;
  });
  return null;
}

function show() {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  act(() =>
    root.render(
      <HistoryRouter>
        <Page />
      </HistoryRouter>,
    ),
  );
  unmount = () => {
    act(() => root.unmount());
    container.remove();
  };
}
const url = () => location.pathname + location.search;

test('a change is written to the URL, other parameters and the path stay', () => {
  show();
  expect(used[0]).toEqual({ q: 'old', page: 1 });
  act(() => used[1]({ q: 'new' }));
  expect(used[0]).toEqual({ q: 'new', page: 1 });
  expect(url()).toBe('/devices?q=new&map=1');
  act(() => used[1]({ q: '' }));
  expect(url()).toBe('/devices?map=1');
});

test('two changes before the next render do not undo each other', () => {
  show();
  act(() => {
    used[1]({ q: 'new' });
    used[1](({ page }) => ({ page: page + 1 }));
    used[1](({ page }) => ({ page: page + 1 }));
    expect(readUrl(codec), 'readUrl returns the pending changes').toEqual({ q: 'new', page: 3 });
  });
  expect(url()).toBe('/devices?q=new&map=1&page=3');
  expect(used[0]).toEqual({ q: 'new', page: 3 });
});

test('a change replaces the history entry, or adds one', () => {
  show();
  const { length } = history;
  act(() => used[1]({ q: 'new' }));
  expect(history.length).toBe(length);
  act(() => used[1]({ page: 2 }, { push: true }));
  expect(history.length).toBe(length + 1);
  act(() => used[1]({ page: 2 }, { push: true }));
  expect(history.length, 'nothing has changed').toBe(length + 1);
});

test('a page that has been left does not write to the URL', () => {
  show();
  const [, setState] = used;
  act(() => void navigate('/swarms'));
  act(() => setState({ q: 'late' }));
  expect(url()).toBe('/swarms');
});

test('an empty text is not in the URL', () => {
  const { read, write } = textCodec('q');
  expect(read(new URLSearchParams('q=a'))).toEqual({ q: 'a' });
  expect(read(new URLSearchParams())).toEqual({ q: '' });
  expect(write({ q: '' })).toEqual({ q: undefined });
});
