import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { OperatedUser, UserPage } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeysProvider } from '../../ui/keys/keys-provider.tsx';
import { HistoryRouter } from '../../ui/urls/router.tsx';
import { NowProvider } from '../../ui/texts/time.tsx';
import { UsersPage } from './users-page.tsx';
import { usersQuery } from './users.api.ts';

const pageSize = 100;
const pageCount = 1000;
const total = pageSize * pageCount;
const userAt = (number: number): OperatedUser => ({
  user_id: `user-${number}`,
  created_at: '2026-01-02T03:00:00.000Z',
  disabled_at: null,
  role: null,
  // The last use of a key is known to the day.
  active_at: number === 0 ? new Date().toISOString().slice(0, 10) : null,
  resources: 3,
});
const pageAt = (number: number): UserPage => ({
  items: Array.from({ length: pageSize }, (_, row) => userAt(number * pageSize + row)),
  next: number === pageCount - 1 ? null : `user-${(number + 1) * pageSize - 1}`,
  total,
});

let root: Root;
let container: HTMLElement;
beforeEach(() => {
  // The filter is in the address, which another test of the worker may have left.
  history.replaceState(null, '', '/operator');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async () => Response.json({}));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
});

async function drawUsers() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const pages = Array.from({ length: pageCount }, (_, number) => pageAt(number));
  const pageParams = ['', ...pages.slice(1).map((_, number) => `user-${(number + 1) * pageSize - 1}`)];
  client.setQueryData(usersQuery({ q: '', state: '' }).queryKey, { pages, pageParams });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <NowProvider>
          <KeysProvider>
            <HistoryRouter>
              <UsersPage />
            </HistoryRouter>
          </KeysProvider>
        </NowProvider>
      </QueryClientProvider>,
    ),
  );
}

test('the page of 100,000 users has the elements of those in view', async () => {
  await drawUsers();
  const rows = [...container.querySelectorAll('li')];
  expect(rows[0]?.textContent).toContain('user-0');
  expect(rows[0]?.textContent).toContain('active today');
  expect(rows.length).toBeGreaterThanOrEqual(600 / 64);
  expect(rows.length).toBeLessThan(40);
  expect(container.querySelectorAll('*').length).toBeLessThan(1000);
  expect(rows[0]?.getAttribute('aria-setsize'), 'a screen reader hears how many there are').toBe(`${total}`);
  expect(container.querySelectorAll('button[data-row][tabindex="0"]')).toHaveLength(1);
});
