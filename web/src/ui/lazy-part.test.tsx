import { act, Component } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { late, loadRest, optional } from './lazy-part.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

class Boundary extends Component<{ children: ReactNode }, { failed?: string }> {
  override state: { failed?: string } = {};
  static getDerivedStateFromError(error: Error) {
    return { failed: error.message };
  }
  override render() {
    return this.state.failed ?? this.props.children;
  }
}

function show(node: ReactNode) {
  const page = document.createElement('div');
  const root = createRoot(page, { onCaughtError: () => undefined });
  act(() => root.render(<Boundary>{node}</Boundary>));
  return page;
}
afterEach(() => void vi.useRealTimers());

const Greeting = ({ name }: { name: string }) => `Hello ${name}`;

test('a lazy component replaces its fallback when it is loaded', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Greeting>();
  const Late = late(
    () => promise,
    ({ name }: { name: string }) => `… ${name}`,
  );
  const page = show(<Late name="Ann" />);
  expect(page.textContent).toBe('… Ann');
  await act(async () => resolve(Greeting));
  expect(page.textContent).toBe('Hello Ann');
});

test('a preloaded component is rendered immediately and loaded once', async () => {
  let loads = 0;
  const Late = late(async () => {
    loads += 1;
    return Greeting;
  });
  await Late.load();
  expect(show(<Late name="Ben" />).textContent).toBe('Hello Ben');
  expect(show(<Late name="Cleo" />).textContent).toBe('Hello Cleo');
  expect(loads).toBe(1);
});

test('a component that is loaded between render and effect is rendered', async () => {
  const Late = late(async () => Greeting);
  const loading = Late.load();
  const page = show(<Late name="Dan" />);
  await act(() => loading);
  expect(page.textContent).toBe('Hello Dan');
});

test('a failed load throws in render, and the next render loads again', async () => {
  const answers = [Promise.reject(new Error('no such file')), Promise.resolve(Greeting)];
  const Late = late(() => answers.shift()!);
  const page = show(<Late name="Eve" />);
  expect(page.textContent).toBe('');
  await act(() => Late.load());
  expect(page.textContent).toBe('A part of the app could not be loaded');
  await Late.load();
  expect(show(<Late name="Eve" />).textContent).toBe('Hello Eve');
});

test('an optional component renders nothing until a retry has loaded it', async () => {
  vi.useFakeTimers();
  const answers = [Promise.reject(new Error('no network')), Promise.resolve(Greeting)];
  const Part = optional(() => answers.shift()!);
  const page = show(<Part name="Fay" />);
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(page.textContent).toBe('');
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(page.textContent).toBe('Hello Fay');
});

test('loadRest loads all components, including those that are registered while loading', async () => {
  const loaded: string[] = [];
  const page = late(async () => {
    loaded.push('page');
    // the dialogs of a page are known when its file is
    late(async () => {
      loaded.push('dialog');
      return Greeting;
    });
    return Greeting;
  });
  expect(loaded).toEqual([]);
  loadRest();
  await page.load();
  expect(loaded).toEqual(['page', 'dialog']);
});
