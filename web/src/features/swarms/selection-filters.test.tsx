import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useLayoutEffect, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastProvider } from '../../ui/toast.tsx';
import { useBoardSelection } from './board/use-board-selection.ts';
import type { MemberFilters } from './members/member-filters.ts';
import { useMemberSelection } from './members/use-member-selection.ts';

let root: Root;
let selection: Pick<ReturnType<typeof useMemberSelection>, 'count' | 'isActive' | 'selectAll' | 'toggle' | 'has'>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(document.createElement('div'));
});
afterEach(() => act(() => root.unmount()));

const keep = (now: typeof selection) => {
  selection = now;
};

function Members({ filters }: { filters: MemberFilters }) {
  const now = useMemberSelection({ swarm_id: 's', filters, rows: [], total: 7 });
  useLayoutEffect(() => keep(now));
  return null;
}

function Board({ state }: { state: 'new' | 'stale' }) {
  const now = useBoardSelection({ swarm_id: 's', rows: [], state, q: '', total: 7 });
  useLayoutEffect(() => keep(now));
  return null;
}

const client = new QueryClient();
const show = (list: ReactNode) =>
  act(() =>
    root.render(
      <QueryClientProvider client={client}>
        <ToastProvider>{list}</ToastProvider>
      </QueryClientProvider>,
    ),
  );

test.each([
  ['members', <Members key="1" filters={{ q: 'north' }} />, <Members key="1" filters={{ q: 'south' }} />],
  ['the board', <Board key="1" state="new" />, <Board key="1" state="stale" />],
])('"All matching" of %s is not kept for other filters', (_list, before, after) => {
  show(before);
  act(() => selection.selectAll());
  expect(selection.count).toBe(7);
  show(after);
  expect(selection).toMatchObject({ count: 0, isActive: false });
  expect(selection.has('a'), 'a row that only the new filters match').toBe(false);
});

test('rows that were selected one by one stay selected, and "all" of the same filters too', () => {
  show(<Members filters={{ q: 'north' }} />);
  act(() => selection.selectAll());
  show(<Members filters={{ q: 'north' }} />);
  expect(selection.count).toBe(7);
  show(<Members filters={{ q: 'south' }} />);
  act(() => selection.toggle('a', false));
  show(<Members filters={{ q: 'west' }} />);
  expect([selection.count, selection.has('a')]).toEqual([1, true]);
});
