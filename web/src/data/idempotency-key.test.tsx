import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { useIdempotencyKeys } from './idempotency-key.ts';
import { forgetPage } from './new-page.ts';

test('a request has the same key until it is done, also in a form that was opened again, or after the page was loaded again', async () => {
  let keys!: ReturnType<typeof useIdempotencyKeys>;
  const Form = () => ((keys = useIdempotencyKeys('/api/swarms')), null);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  let client = new QueryClient();
  const root = createRoot(document.createElement('div'));
  const show = (part: ReactNode) =>
    act(async () => root.render(<QueryClientProvider client={client}>{part}</QueryClientProvider>));
  await show(<Form />);
  const first = keys.keyFor({ name: 'a' });
  expect(keys.keyFor({ name: 'b' })).not.toBe(first);
  await show(null);
  await show(<Form />);
  expect(keys.keyFor({ name: 'a' })).toBe(first);
  await show(null);
  forgetPage();
  client = new QueryClient();
  await show(<Form />);
  expect(keys.keyFor({ name: 'a' })).toBe(first);
  keys.noteDone({ name: 'a' });
  expect(keys.keyFor({ name: 'a' })).not.toBe(first);
  const stored = keys.keyFor({ name: 'c' });
  keys.noteStored({ name: 'c' });
  expect(keys.keyFor({ name: 'c' })).toBe(stored);
  forgetPage();
  expect(keys.keyFor({ name: 'c' })).not.toBe(stored);
  await act(async () => root.unmount());
});
