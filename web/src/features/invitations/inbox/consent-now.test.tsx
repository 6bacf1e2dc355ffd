import { act } from 'react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { itemOf, pageOf } from '../../../data/cache/invitation.fixture.ts';
import { setLiveState } from '../../../data/stream/connection-status.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { InboxPage } from './inbox-page.tsx';

// Names of places need files of a build.

const asListed = itemOf('1', 1);
let members = 0;

function answerTo(path: string): object {
  const item = {
    ...asListed,
    resource_type: 'both',
    swarm: { ...asListed.swarm, member_count: members },
  } as const;
  if (path.startsWith('/api/inbox?')) return pageOf(path.includes('state=new') ? [item] : []);
  if (path.endsWith('/inbox/1')) return item;
  if (path.includes('/flow')) return { producers: members, consumers: members, sent: 0 };
  return { received: { new: 1 }, sent: { new: 0 }, offers: 0 };
}

beforeAll(() => loadTexts('en'));
beforeEach(() => {
  members = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async (path: string) => Response.json(answerTo(path)));
  Object.assign(HTMLElement.prototype, { scrollTo: () => {}, scrollBy: () => {} });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    history.replaceState(null, '', '/');
  };
});

test('an open invitation says who receives now, though the user has no events of its swarm', async () => {
  history.replaceState(null, '', '/invitations?sel=1');
  setLiveState('live');
  const { container, waitFor, unmount } = await mountPart(<InboxPage deviceMap={null} offers={null} />);
  const says = (count: number) => {
    expect(container.textContent).toContain(t.messages.flow.receives(count, true));
    expect(container.textContent).toContain(t.invitations.facts.members(count));
  };
  await waitFor(() => says(0));
  // Who joins later sees the device too.
  expect(container.querySelector('.consent')!.textContent).toContain('watchers and members');
  members = 2;
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await waitFor(() => says(2));
  await unmount();
});
