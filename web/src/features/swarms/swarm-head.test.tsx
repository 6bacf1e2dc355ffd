import type { SwarmItem } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { deskLayout } from './swarm-desk.tsx';
import { phoneLayout } from './swarm-phone.tsx';
import { ShownSwarmProvider } from './use-shown-swarm.ts';

beforeAll(() => loadTexts('en'));

const swarm = { id: 's', name: 'Harbour', user_id: 'ann', relation: 'watcher', member_count: 2 } as SwarmItem;

test.each([
  ['desk', deskLayout],
  ['phone', phoneLayout],
])('in the head on a %s, asking to join and ending to watch have their words', async (width, { Head }) => {
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });
  const [onAsk, onStopWatching] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { container, press, unmount } = await mountPart(
    <ShownSwarmProvider swarm={swarm} user_id="ben">
      <Head onAsk={onAsk} onStopWatching={onStopWatching} />
    </ShownSwarmProvider>,
  );
  for (const action of [t.requests.ask, t.managers.of.watcher.leave]) {
    if (width === 'phone') await act(async () => container.querySelector<HTMLElement>('[aria-haspopup=menu]')!.click());
    await press(action);
  }
  expect([onAsk.mock.calls.length, onStopWatching.mock.calls.length]).toEqual([1, 1]);
  await unmount();
});
