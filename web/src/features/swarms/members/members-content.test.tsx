import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Action, SwarmItem } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { shownActionsOf } from '../../../data/actions/shown-actions.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { HistoryRouter } from '../../../ui/urls/router.tsx';
import { ToastProvider } from '../../../ui/toasts/toast.tsx';
import { ShownSwarmProvider } from '../use-shown-swarm.ts';
import { NoMembers } from './members-content.tsx';
import { MembersState } from './members-state.ts';

const swarm = { id: 's', user_id: 'ann', name: 'Harbour', relation: 'owner', member_count: 0 } as SwarmItem;
const page = document.createElement('div');
let root: Root;

async function textWhile(...actions: Action[]) {
  const client = new QueryClient();
  shownActionsOf({ client }).show(actions, () => undefined);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <ShownSwarmProvider swarm={swarm} user_id="ann">
            <ToastProvider>
              <MembersState>
                <NoMembers />
              </MembersState>
            </ToastProvider>
          </ShownSwarmProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  return page.textContent;
}
const adding = (id: string, state: Action['state']) =>
  ({ kind: 'add_member', state, about: { swarm: { id, name: '' }, resource_type: 'both' } }) as Action;

beforeAll(() => loadTexts('en'));
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => Response.json({ items: [], next: null, total: 0, facets: {}, at: '' }));
  root = createRoot(page);
});
afterEach(() => act(async () => root.unmount()));

test('while devices are being added, an empty swarm does not say that it has no members yet', async () => {
  expect(await textWhile(adding('s', 'running'))).toContain(t.members.adding_title);
  expect(page.textContent).not.toContain(t.members.empty_title);
});

test('an empty swarm says so, also while devices are added to another one, or after they were', async () => {
  expect(await textWhile(adding('other', 'running'), adding('s', 'ended'))).toContain(t.members.empty_title);
});
