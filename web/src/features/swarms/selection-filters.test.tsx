import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { act, useLayoutEffect, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { HistoryRouter } from '../../ui/urls/router.tsx';
import { ToastProvider } from '../../ui/toasts/toast.tsx';
import { useMemberFilters } from './members/use-member-filters.ts';
import { MembersState, useMembers } from './members/members-state.ts';
import { ShownSwarmProvider } from './use-shown-swarm.ts';
import { waitFor } from '../../ui/wait-for.fixture.ts';

let page: HTMLElement;
let root: Root;
type Selection = ReturnType<typeof useMembers<'selection'>>;
let selection: Pick<Selection['checked'], 'count' | 'total' | 'hidden' | 'isWhole' | 'isActive' | 'has'> &
  Pick<Selection['check'], 'all' | 'none' | 'toggle'>;
let filterMembers: ReturnType<typeof useMemberFilters>['change'];

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => Response.json({ items: [], next: null, total: 7, facets: {}, at: '' }));
  history.replaceState(null, '', '/?q=north');
  page = document.createElement('div');
  root = createRoot(page);
});
afterEach(() => act(() => root.unmount()));

const keep = (now: typeof selection) => {
  selection = now;
};

function Members() {
  const { checked, check } = useMembers('selection');
  const { change } = useMemberFilters();
  useLayoutEffect(() => {
    keep({ ...checked, ...check });
    filterMembers = change;
  });
  return null;
}

const client = new QueryClient();
const show = (list: ReactNode) =>
  act(() =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <ToastProvider>{list}</ToastProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
const membersPage = (
  <ShownSwarmProvider swarm={{ id: 's' } as SwarmItem} user_id="ann">
    <MembersState>
      <Members />
    </MembersState>
  </ShownSwarmProvider>
);
const showMembers = async () => {
  show(membersPage);
  await waitFor(() => expect(selection.total).toBe(7));
};
const search = (q: string) => act(() => filterMembers(() => ({ q })));

test('"all matching" is not kept for other filters', async () => {
  await showMembers();
  act(() => selection.all());
  expect(selection.count).toBe(7);
  act(() => filterMembers((now) => ({ ...now, values: ['temperature'] })));
  expect(selection.count, 'with a value in each row').toBe(7);
  search('south');
  expect(selection).toMatchObject({ count: 0, isActive: false });
  expect(selection.has('a'), 'a row that only the new filters match').toBe(false);
  expect(page.textContent).toContain(t.devices.selection.ended);
});

test('rows that were selected one by one stay selected, and "all" of the same filters too', async () => {
  await showMembers();
  act(() => selection.all());
  await showMembers();
  expect(selection.count).toBe(7);
  search('south');
  act(() => selection.toggle('a', false));
  search('west');
  expect([selection.count, selection.has('a')]).toEqual([1, true]);
});

test('"all" of a list that is loaded is besides what was selected, and stays selected in other lists', async () => {
  const south = { items: [{ id: 'b' }, { id: 'c' }], next: null, total: 2, facets: {}, at: '' };
  const others = { items: [], next: null, total: 7, facets: {}, at: '' };
  vi.stubGlobal('fetch', async (path: string) => Response.json(path.includes('q=south') ? south : others));
  await showMembers();
  act(() => selection.toggle('a', false));
  search('south');
  await waitFor(() => expect(selection.total).toBe(2));
  expect(selection.isWhole).toBe(false);
  act(() => selection.all());
  expect(selection).toMatchObject({ count: 3, isWhole: true });
  act(() => selection.toggle('b', false));
  expect(selection.isWhole).toBe(false);
  search('west');
  expect([selection.count, selection.has('a'), selection.has('c')]).toEqual([2, true, true]);
});

/** A list of two members, and another without any. The search for "held" has no answer until `answer`. */
async function showTwo() {
  const held = Promise.withResolvers<Response>();
  const page = (ids: string[]) => ({
    items: ids.map((id) => ({ id })),
    next: null,
    total: ids.length,
    facets: {},
    at: '',
  });
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.includes('q=held')) return held.promise;
    return Response.json(path.includes('q=none') ? page([]) : page(['b', 'c']));
  });
  client.clear();
  show(membersPage);
  await waitFor(() => expect(selection.total).toBe(2));
  return { answer: () => act(async () => held.resolve(Response.json(page(['d'])))) };
}

test('"all" while another search is read does not select the rows of the search before', async () => {
  const { answer } = await showTwo();
  search('held');
  act(() => selection.all());
  await answer();
  await waitFor(() => expect(selection.total).toBe(1));
  expect(selection).toMatchObject({ count: 1, isWhole: true });
});

test('a list without rows is not selected as a whole', async () => {
  await showTwo();
  act(() => selection.toggle('b', false));
  search('none');
  await waitFor(() => expect(selection.total).toBe(0));
  expect(selection).toMatchObject({ count: 1, hidden: 1, isWhole: false });
});

test('deselecting all rows keeps those of other lists', async () => {
  await showTwo();
  act(() => selection.toggle('other', false));
  act(() => selection.all());
  expect(selection).toMatchObject({ count: 3, hidden: 1, isWhole: true });
  act(() => selection.none());
  expect([selection.count, selection.has('other')]).toEqual([1, true]);
});
