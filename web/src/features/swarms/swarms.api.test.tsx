import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { MemberPage, SwarmItem } from '@swarmdeck/bff/contract';
import { act, Profiler, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { itemOf, minuteOf, pageOf } from '../../data/cache/invitation.fixture.ts';
import { KeysProvider } from '../../ui/keys/keys-provider.tsx';
import { HistoryRouter } from '../../ui/urls/router.tsx';
import { NowProvider } from '../../ui/texts/time.tsx';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { ToastProvider } from '../../ui/toasts/toast.tsx';
import { BoardTab } from './board/board-tab.tsx';
import { AddMembers } from './members/add-members.tsx';
import { MembersPanel } from './members/members-desk.tsx';
import { MembersState } from './members/members-state.ts';
import { ShownSwarmProvider } from './use-shown-swarm.ts';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const swarm: SwarmItem = {
  id: 's',
  user_id: 'me',
  name: 'Harbour',
  description: '',
  public: false,
  created_at: minuteOf(0),
  relation: 'owner',
  member_count: 1,
} as SwarmItem;
const device = {
  id: 'd',
  user_id: 'me',
  name: 'Buoy',
  machine_type: 'pc' as const,
  presence: { state: 'never' as const },
  swarms: [],
  created_at: minuteOf(0),
  changed_at: minuteOf(0),
  resource_type: 'both' as const,
  member_since: minuteOf(0),
};
const members: MemberPage = {
  items: [device],
  next: null,
  total: 1,
  at: minuteOf(0),
  facets: {
    all: 1,
    machine_type: { pc: 1, bug: 0, smartphone: 0 },
    presence: { online: 0, offline: 0, silent: 0, never: 1 },
    no_swarm: 1,
    unplaced: 1,
    swarms: [],
    resource_type: { both: 1, consumer: 0, producer: 0 },
  },
};

const ofSwarm = (part: ReactNode) => (
  <ShownSwarmProvider swarm={swarm} user_id="me">
    {part}
  </ShownSwarmProvider>
);
const Members = () =>
  ofSwarm(
    <MembersState>
      <MembersPanel />
    </MembersState>,
  );

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
let root: Root;
let container: HTMLElement;
let commits = 0;
let answers = 0;
let name = 'Buoy';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  vi.stubGlobal('fetch', async (path: string) => {
    answers += 1;
    const time = `2026-11-20T12:00:${String(answers).padStart(2, '0')}.000Z`;
    const page = path.includes('/board')
      ? { ...pageOf([itemOf('i', 1, { to: name })]), stale_before: time }
      : { ...members, items: [{ ...device, name }] };
    return new Response(JSON.stringify({ ...page, at: time }));
  });
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  name = 'Buoy';
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  client.clear();
});

test.each<[string, () => ReactNode]>([
  ['members', Members],
  ['the board', () => ofSwarm(<BoardTab />)],
  ['devices to add', () => <AddMembers swarm={swarm} onClose={() => undefined} />],
])('the list of %s renders when a row has changed, and not for each response', async (_list, List) => {
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <KeysProvider>
            <NowProvider>
              <ToastProvider>
                <Profiler id="list" onRender={() => (commits += 1)}>
                  <List />
                </Profiler>
              </ToastProvider>
            </NowProvider>
          </KeysProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  const refetch = () =>
    act(async () => {
      await client.refetchQueries({ type: 'active' });
      // TanStack Query notifies components in a timer of 0 ms.
      await new Promise((resolve) => setTimeout(resolve));
    });
  await waitFor(() => expect(container.textContent).toContain('Buoy'));
  await refetch();
  [commits, answers] = [0, 1];
  await refetch();
  await refetch();
  expect(answers).toBeGreaterThan(1);
  expect(commits).toBe(0);
  name = 'Gauge';
  await refetch();
  expect(container.textContent).toContain('Gauge');
});

test('invitations of the board that are selected stay selected in another search', async () => {
  history.replaceState(null, '', '/');
  onTestFinished(() => history.replaceState(null, '', '/'));
  const { container: page, unmount } = await mountPart(ofSwarm(<BoardTab />), client);
  onTestFinished(unmount);
  const box = () => page.querySelector<HTMLInputElement>('input[data-row="i"]');
  const show = (search: string) =>
    act(async () => {
      history.replaceState(null, '', `/${search}`);
      dispatchEvent(new PopStateEvent('popstate'));
    });
  await waitFor(() => expect(box()).not.toBeNull());
  await act(async () => box()!.click());
  expect(box()!.checked).toBe(true);
  name = 'Mast';
  await show('?q=mast');
  await waitFor(() => expect(page.textContent).toContain('Mast'));
  await waitFor(() => expect(box()?.checked).toBe(true));
});
