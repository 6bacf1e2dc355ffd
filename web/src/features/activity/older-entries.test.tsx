import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Activity } from '@swarmdeck/bff/contract';
import { act, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { HistoryRouter } from '../../ui/urls/router.tsx';
import { NowProvider } from '../../ui/texts/time.tsx';
import { groupsOf, isNewTo } from './activity-groups.ts';
import { ActivityGroupLine } from './activity-line.tsx';

/** The entries whose lines have rendered: each reads the name. */
const rendered = new Set<number>();

const entry = (id: number): Activity => ({
  id,
  at: new Date(Date.UTC(2026, 0, 2, 3, id)).toISOString(),
  kind: 'resource.silent',
  actor: 'ann',
  resource: {
    id: `r${id}`,
    get name() {
      rendered.add(id);
      return `Gauge ${id}`;
    },
    user_id: 'ann',
  },
});

test('lines do not render again when older ones follow', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const isUnread = isNewTo('ann', 0);
  const newer = [entry(5), entry(4), entry(3)];
  let showMore = (_entries: readonly Activity[]) => {};
  function Log() {
    const [entries, setEntries] = useState<readonly Activity[]>(newer);
    useLayoutEffect(() => {
      showMore = setEntries;
    }, []);
    return groupsOf(entries).map((group) => {
      const { id } = group.entries[0];
      return <ActivityGroupLine key={id} group={group} user_id="ann" isUnread={isUnread} more={0} />;
    });
  }
  const root = createRoot(document.createElement('ul'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <HistoryRouter>
          <NowProvider>
            <Log />
          </NowProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  expect(rendered).toEqual(new Set([5, 4, 3]));
  rendered.clear();
  await act(async () => showMore([...newer, entry(2), entry(1)]));
  expect(rendered).toEqual(new Set([2, 1]));
  await act(async () => root.unmount());
});
