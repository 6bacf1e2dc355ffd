import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastProvider, useToasts } from './toast.tsx';

let toasts: ReturnType<typeof useToasts>;
let root: ReturnType<typeof createRoot>;
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const Page = () => ((toasts = useToasts()), null);
  const element = document.createElement('div');
  document.body.append(element);
  root = createRoot(element);
  await act(async () =>
    root.render(
      <ToastProvider>
        <Page />
      </ToastProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const show = (title: string, tone?: 'bad') => act(async () => void toasts.show({ title, ...(tone && { tone }) }));
const titles = () => [...document.querySelectorAll('.notice .strong')].map(({ textContent }) => textContent);

test('an error stays until it is dismissed, however many toasts come after it', async () => {
  await show('Not saved', 'bad');
  for (const title of ['one', 'two', 'three', 'four']) await show(title);
  expect(titles()).toEqual(['Not saved', 'two', 'three', 'four']);
  for (const title of ['a', 'b', 'c', 'd']) await show(title, 'bad');
  expect(titles()).toEqual(['Not saved', 'two', 'three', 'four', 'a', 'b', 'c', 'd']);
});

test('the same error is shown once', async () => {
  await show('Not saved', 'bad');
  await show('Not copied', 'bad');
  await show('Not saved', 'bad');
  expect(titles()).toEqual(['Not copied', 'Not saved']);
});

test('the name of a device does not turn the words of a toast around', async () => {
  await show('“Barn \u202Egnp.exe” is yours now');
  expect(titles()).toEqual(['“Barn gnp.exe” is yours now']);
});

test('a toast replaces the one of what it has become of', async () => {
  await act(async () => void toasts.show({ title: 'Waits', about: 'outbox' }));
  await show('Saved');
  await act(async () => void toasts.show({ title: 'Sent', about: 'outbox' }));
  expect(titles()).toEqual(['Saved', 'Sent']);
});

test('the same toast is shown once, and as long as the last of them', async () => {
  for (let times = 0; times < 3; times += 1) await show('Sent to 1 swarm');
  await show('Saved');
  await show('Sent to 1 swarm');
  expect(titles()).toEqual(['Saved', 'Sent to 1 swarm']);
});
