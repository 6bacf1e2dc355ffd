import { QueryClient } from '@tanstack/react-query';
import type { Action, RecordedField } from '@swarmdeck/bff/contract';
import { beforeAll, expect, test, vi } from 'vitest';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { UndoQuestion } from './undo-ended.tsx';

beforeAll(() => loadTexts('en'));

async function question(begins?: RecordedField[]) {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const at = '2026-11-28T10:00:00.000Z';
  client.setQueryData(
    queryKeys.track('d'),
    [at, at].map((time) => ({ at: time, latitude: 1, longitude: 2 })),
  );
  client.setQueryData(queryKeys.values.recordedSince('d'), at);
  const item = { id: 'd', name: 'Buoy', ...(begins && { begins }) };
  const about = { keep_track: true, keep_values: 'time' };
  const action = { id: 'a', kind: 'edit', about, items: [item], total: 1, changed: 1 } as unknown as Action;
  const nothing = () => undefined;
  return mountPart(<UndoQuestion action={action} onConfirm={nothing} onClose={nothing} />, client);
}

test('the undo of an edit that has begun to record names what it deletes', async () => {
  const { container, unmount } = await question(['keep_track', 'keep_values']);
  await waitFor(() => expect(container.textContent).toContain('The track: 2 positions since'));
  expect(container.textContent).toContain('The values recorded since');
  await unmount();
});

test('other values of an edit are put back without a word about recordings', async () => {
  const { container, unmount } = await question();
  expect(container.textContent).toContain('Buoy');
  expect(container.textContent).not.toContain(t.activity.actions.undo_deletes);
  await unmount();
});
