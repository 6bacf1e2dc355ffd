import { act } from 'react';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { setLiveState } from '../../../data/stream/connection-status.ts';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { DiscoverPage } from './discover-page.tsx';

beforeAll(() => loadTexts('en'));

test('a swarm that another user lists appears soon, although the stream has no event of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  setLiveState('live');
  onTestFinished(() => setLiveState(undefined));
  const at = '2026-01-02T03:00:00.000Z';
  const listed = { id: 's', name: 'Harbour', description: '', user_id: 'ben', members: 1, active_at: at };
  let items: object[] = [];
  vi.stubGlobal('fetch', async () => Response.json({ items, total: items.length, next: null, at }));
  const { container, unmount } = await mountPart(<DiscoverPage />);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(container.querySelector('h1')).not.toBeNull();
  expect(container.textContent).not.toContain('Harbour');
  items = [listed];
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(container.textContent).toContain('Harbour');
  await unmount();
});
