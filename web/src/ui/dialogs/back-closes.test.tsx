import { act, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useLocation } from 'react-router';
import { useBackCloses } from './back-closes.ts';
import { HistoryRouter, Link } from '../urls/router.tsx';
import { textCodec, useUrlState } from '../urls/url-state.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let page: HTMLElement;
let unmount = () => {};
beforeEach(() => history.pushState(null, '', '/before'));
afterEach(() => unmount());

function show(children: ReactNode) {
  page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  act(() => root.render(<HistoryRouter>{children}</HistoryRouter>));
  unmount = () => {
    act(() => root.unmount());
    page.remove();
  };
}

function Layer({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  useBackCloses(open, () => setOpen(false));
  return (
    <button type="button" aria-pressed={open} onClick={() => setOpen(!open)}>
      {name}
    </button>
  );
}

const searchUrl = textCodec('q');

function Page() {
  const { pathname } = useLocation();
  const { search } = useLocation();
  const [, setUrl] = useUrlState(searchUrl);
  return (
    <>
      <output>{`${pathname}?${search.slice(1)}`}</output>
      <button type="button" onClick={() => setUrl({ q: 'a' })}>
        filter
      </button>
      <Link to="/devices">devices</Link>
      <Link to="/swarms">swarms</Link>
      {pathname === '/devices' && (
        <>
          <Layer name="dialog" />
          <Layer name="menu" />
        </>
      )}
    </>
  );
}

const press = (name: string) =>
  act(() => [...page.querySelectorAll<HTMLElement>('button, a')].find((at) => at.textContent === name)!.click());
const isOpen = (name: string) =>
  [...page.querySelectorAll('button')].find((at) => at.textContent === name)?.ariaPressed === 'true';
const shown = () => page.querySelector('output')!.textContent;
/** Resolves after this many `popstate` events: a guard causes a second one. */
const back = ({ steps = 2 } = {}) =>
  act(async () => {
    history.back();
    for (let step = 0; step < steps; step++) {
      await new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    }
  });

test('Back closes the top layer first, then the one below, then leaves the page', async () => {
  show(<Page />);
  press('devices');
  press('dialog');
  press('menu');
  await back();
  expect(isOpen('menu')).toBe(false);
  expect(isOpen('dialog')).toBe(true);
  await back();
  expect(isOpen('dialog')).toBe(false);
  expect(shown()).toBe('/devices?');
  await back();
  expect(shown()).toBe('/before?');
});

test('Back leaves the page immediately if the layer was closed another way', async () => {
  show(<Page />);
  press('devices');
  press('dialog');
  press('dialog');
  await back();
  expect(shown()).toBe('/before?');
});

test('URL changes of the page stay when Back closes a layer and when Back returns to the page', async () => {
  show(<Page />);
  press('devices');
  press('dialog');
  press('filter');
  await back();
  expect(isOpen('dialog')).toBe(false);
  expect(shown()).toBe('/devices?q=a');
  expect(location.search).toBe('?q=a');
  press('swarms');
  await back({ steps: 1 });
  expect(shown()).toBe('/devices?q=a');
  await back();
  expect(shown()).toBe('/before?');
});

test('a layer that is opened again after Back closed it can be closed by Back again', async () => {
  show(<Page />);
  press('devices');
  for (let times = 0; times < 2; times++) {
    press('dialog');
    await back();
    expect(isOpen('dialog')).toBe(false);
  }
  expect(shown()).toBe('/devices?');
});
