import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Activity } from '@swarmdeck/bff/contract';
import { act, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { HistoryRouter } from '../../ui/router.tsx';
import { NowProvider } from '../../ui/time.tsx';
import { ActivityGroupLine, groupsOf, isNewTo } from './activity-line.tsx';

/** Each line has one. */
const icons: string[] = [];
vi.mock(import('../../ui/icon.tsx'), async (original) => ({
  ...(await original()),
  Icon({ name }) {
    icons.push(name);
    return <i />;
  },
}));

const entry = (id: number): Activity => ({
  id,
  at: new Date(Date.UTC(2026, 0, 2, 3, id)).toISOString(),
  kind: 'resource.silent',
  actor: 'ann',
  resource: { id: `r${id}`, name: `Gauge ${id}`, user_id: 'ann' },
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
      return <ActivityGroupLine key={id} group={group} user_id="ann" isUnread={isUnread} isOpen={false} />;
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
  expect(icons.splice(0)).toHaveLength(3);
  await act(async () => showMore([...newer, entry(2), entry(1)]));
  expect(icons).toHaveLength(2);
  await act(async () => root.unmount());
});
