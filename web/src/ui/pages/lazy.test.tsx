import { act, Component, startTransition, Suspense, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lazyPage, lazyPart, preloadAll } from './lazy.tsx';
import { ToastProvider } from '../toasts/toast.tsx';
import { waitFor } from '../wait-for.fixture.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

class Boundary extends Component<{ children: ReactNode }, { failed?: string }> {
  override state: { failed?: string } = {};
  static getDerivedStateFromError(error: Error) {
    return { failed: `${error.name}: ${error.message}` };
  }
  override render() {
    return this.state.failed ?? this.props.children;
  }
}

async function show(node: ReactNode) {
  const page = document.createElement('div');
  const root = createRoot(page, { onCaughtError: () => undefined });
  onTestFinished(() => act(async () => root.unmount()));
  await act(async () => root.render(<Boundary>{node}</Boundary>));
  return page;
}

const Greeting = ({ name }: { name: string }) => `Hello ${name}`;

test('the fallback of a part is replaced as soon as its code has loaded', async () => {
  vi.useFakeTimers();
  const { promise, resolve } = Promise.withResolvers<typeof Greeting>();
  const Part = lazyPart(() => promise, { Fallback: ({ name }: { name: string }) => `… ${name}` });
  const page = await show(<Part name="Ann" />);
  expect(page.textContent).toBe('… Ann');
  // No time passes: React would wait 300 ms after the fallback of a Suspense.
  await act(async () => resolve(Greeting));
  expect(page.textContent).toBe('Hello Ann');
});

test('a part that was preloaded is shown at once, and its code is loaded once', async () => {
  let loads = 0;
  const Part = lazyPart(async () => {
    loads += 1;
    return Greeting;
  });
  void Part.preload();
  expect((await show(<Part name="Ben" />)).textContent).toBe('Hello Ben');
  expect((await show(<Part name="Cleo" />)).textContent).toBe('Hello Cleo');
  expect(loads).toBe(1);
});

test('who waits for a part to be preloaded does not wait for one that cannot be loaded', async () => {
  const Part = lazyPart(() => Promise.reject(new Error('no network')));
  await expect(Part.preload()).resolves.toBeUndefined();
});

test('a part that could not be loaded is requested again, and the page stays and offers to reload', async () => {
  vi.useFakeTimers();
  const answers = [Promise.reject(new Error('no network')), Promise.resolve(Greeting)];
  const Part = lazyPart(() => answers.shift()!);
  const page = await show(
    <ToastProvider>
      {'page '}
      <Part name="Fay" />
    </ToastProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(page.textContent).toBe('page A part of this page could not be loadedReload the page to try again.Reload');
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(page.textContent).toBe('page Hello Fay');
});

test('the offer to reload stays until the last of the parts that failed is gone', async () => {
  vi.useFakeTimers();
  const failing = () => lazyPart(() => Promise.reject(new Error('no network')));
  const [First, Second] = [failing(), failing()];
  function Page() {
    const [shown, setShown] = useState(2);
    return (
      <ToastProvider>
        <button type="button" onClick={() => setShown(shown - 1)}>
          Leave one.
        </button>
        {shown > 1 && <First />}
        {shown > 0 && <Second />}
      </ToastProvider>
    );
  }
  const page = await show(<Page />);
  const leaveOne = () => act(async () => page.querySelector('button')!.click());
  await act(() => vi.advanceTimersByTimeAsync(1000));
  await leaveOne();
  expect(page.textContent).toMatch(/Reload$/);
  await leaveOne();
  expect(page.textContent).toBe('Leave one.');
});

test('reloading is offered only with a connection: the browser would replace the page by its own error', async () => {
  vi.useFakeTimers();
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const Part = lazyPart(() => Promise.reject(new Error('no network')));
  const page = await show(
    <ToastProvider>
      <Part />
    </ToastProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(page.textContent).toMatch(/^A part of this page could not be loadedYou’re offline.*connected\.$/);
  isOnline.mockReturnValue(true);
  await act(async () => dispatchEvent(new Event('online')));
  expect(page.textContent).toMatch(/Reload$/);
  isOnline.mockRestore();
});

test('of a part that nobody has asked for, nothing is said without a connection', async () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const Part = lazyPart(() => Promise.reject(new Error('no network')), { isBackground: true });
  vi.useFakeTimers();
  const page = await show(
    <ToastProvider>
      <Part />
    </ToastProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(page.textContent).toBe('');
  isOnline.mockReturnValue(true);
  await act(async () => dispatchEvent(new Event('online')));
  expect(page.textContent).toMatch(/Reload$/);
  isOnline.mockReturnValue(false);
  await act(async () => dispatchEvent(new Event('offline')));
  expect(page.textContent).toBe('');
  isOnline.mockRestore();
  await act(async () => dispatchEvent(new Event('online')));
});

test('a page that could not be loaded is an error of the page', async () => {
  const Page = lazyPage(() => Promise.reject(new Error('no such file')));
  const page = await show(
    <Suspense>
      <Page />
    </Suspense>,
  );
  expect(page.textContent).toBe('LoadError: A page could not be loaded');
});

test('the page that is left stays until the next one has loaded', async () => {
  const { promise, resolve } = Promise.withResolvers<() => string>();
  const Next = lazyPage(() => promise);
  function Pages() {
    const [next, setNext] = useState(false);
    return (
      <Suspense>
        {next ? (
          <Next />
        ) : (
          <button type="button" onClick={() => startTransition(() => setNext(true))}>
            First page
          </button>
        )}
      </Suspense>
    );
  }
  const page = document.body.appendChild(await show(<Pages />));
  await act(async () => page.querySelector('button')!.click());
  expect(page.querySelector('button')).not.toBe(null);
  await act(async () => resolve(() => 'next page'));
  expect(page.textContent).toBe('next page');
  page.remove();
});

test('preloadAll loads all pages and parts, also those that become known with them', async () => {
  const loaded: string[] = [];
  lazyPage(async () => {
    loaded.push('page');
    // The dialogs of a page are known when its file is.
    lazyPart(async () => {
      loaded.push('dialog');
      return Greeting;
    });
    return () => null;
  });
  expect(loaded).toEqual([]);
  preloadAll();
  await waitFor(() => expect(loaded).toEqual(['page', 'dialog']));
});
