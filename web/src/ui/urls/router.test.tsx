import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Navigate, useLocation } from 'react-router';
import { HistoryRouter, Link } from './router.tsx';
import { useLeaveGuard } from '../pages/use-leave-guard.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let unmount = () => {};
beforeEach(() => history.replaceState(null, '', '/'));
afterEach(() => unmount());

function show(children: ReactNode): HTMLElement {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  act(() => root.render(<HistoryRouter>{children}</HistoryRouter>));
  unmount = () => {
    act(() => root.unmount());
    container.remove();
  };
  return container;
}

function Where() {
  const { pathname, search, state } = useLocation();
  return <output>{pathname + search + (state === null ? '' : JSON.stringify(state))}</output>;
}

const click = (element: Element, init: MouseEventInit = {}) => {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
  act(() => {
    element.dispatchEvent(event);
  });
  return event.defaultPrevented;
};

test('a link navigates in the app with its state, and Back returns', async () => {
  const page = show(
    <>
      <Link to={{ pathname: '/devices/1', search: 'a=b' }} state={{ home: '?q=x' }}>
        Open
      </Link>
      <Where />
    </>,
  );
  const link = page.querySelector('a')!;
  expect(link.getAttribute('href')).toBe('/devices/1?a=b');
  expect(click(link)).toBe(true);
  expect(page.querySelector('output')!.textContent).toBe('/devices/1?a=b{"home":"?q=x"}');
  await act(async () => {
    const came = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await came;
  });
  expect(page.querySelector('output')!.textContent).toBe('/');
});

test('a click with a modifier key, another button or a target is left to the browser', () => {
  const page = show(
    <>
      <Link to="/one">One</Link>
      <Link to="/two" target="_blank">
        Two
      </Link>
      <Where />
    </>,
  );
  const [one, two] = page.querySelectorAll('a');
  // jsdom cannot navigate and would log an error.
  page.addEventListener('click', (event) => event.preventDefault());
  click(one!, { ctrlKey: true });
  click(one!, { button: 1 });
  click(two!);
  expect(page.querySelector('output')!.textContent).toBe('/');
});

test('a link to the current page adds no history entry', () => {
  const page = show(<Link to="/">Here</Link>);
  const { length } = history;
  click(page.querySelector('a')!);
  expect(history.length).toBe(length);
});

test('Navigate redirects immediately', () => {
  function Page() {
    return useLocation().pathname === '/sign-in' ? <Where /> : <Navigate to="/sign-in?next=%2F" replace />;
  }
  expect(show(<Page />).textContent).toBe('/sign-in?next=%2F');
});

describe('unsaved changes', () => {
  function Form() {
    const guard = useLeaveGuard(true);
    return guard.isAsking ? (
      <>
        <button type="button" onClick={guard.leave}>
          Leave
        </button>
        <button type="button" onClick={guard.stay}>
          Stay
        </button>
      </>
    ) : null;
  }
  const Page = () => (
    <>
      <Link to="/form">Form</Link>
      <Link to="/form?tab=two">Second tab</Link>
      <Link to="/other">Other</Link>
      {useLocation().pathname === '/form' && <Form />}
      <Where />
    </>
  );
  const wait = (steps: number) =>
    act(async () => {
      const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      history.go(steps);
      await moved;
    });
  let page: HTMLElement;
  const press = (name: string) =>
    click([...page.querySelectorAll('a, button')].find((each) => each.textContent === name)!);
  const where = () => page.querySelector('output')!.textContent;
  beforeEach(() => {
    page = show(<Page />);
    press('Form');
  });

  // jsdom, like Firefox ESR, has no Navigation API.
  test('a link is followed only after the user has chosen to leave', () => {
    press('Second tab');
    expect(where()).toBe('/form?tab=two');
    press('Other');
    expect([where(), location.pathname]).toEqual(['/form?tab=two', '/form']);
    press('Stay');
    expect(where()).toBe('/form?tab=two');
    press('Other');
    press('Leave');
    expect([where(), location.pathname]).toEqual(['/other', '/other']);
  });

  test('Back stays, and leads to the page before after the user has chosen to leave', async () => {
    await wait(-1);
    expect([where(), location.pathname]).toEqual(['/form', '/form']);
    press('Stay');
    await wait(-1);
    expect([where(), location.pathname]).toEqual(['/form', '/form']);
    await act(async () => {
      const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      press('Leave');
      await moved;
    });
    expect([where(), location.pathname]).toEqual(['/', '/']);
  });
});
