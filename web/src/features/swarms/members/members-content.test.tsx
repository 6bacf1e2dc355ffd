import type { Action, SwarmItem } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { HistoryRouter } from '../../../ui/router.tsx';
import { ShownSwarmProvider } from '../use-shown-swarm.ts';
import { MembersContent } from './members-content.tsx';
import { AddingMembersProvider } from './use-adding-members.ts';

const actions = vi.hoisted((): Pick<Action, 'kind' | 'state' | 'about'>[] => []);
vi.mock('../../../data/actions/shown-actions.ts', () => ({ useActions: () => actions }));
vi.mock('./use-member-list.ts', () => ({
  useMemberList: () => ({ query: { isPending: false, error: null }, rows: [] }),
}));
vi.mock('./use-member-filters.ts', () => ({
  useMemberFilters: () => ({ isFiltered: false, change: () => undefined }),
}));

const swarm = { id: 's', user_id: 'ann', name: 'Harbour', relation: 'owner', member_count: 0 } as SwarmItem;
const page = document.createElement('div');
let root: Root;

async function show() {
  await act(async () =>
    root.render(
      <HistoryRouter>
        <ShownSwarmProvider swarm={swarm} user_id="ann">
          <AddingMembersProvider>
            <MembersContent table="the table" />
          </AddingMembersProvider>
        </ShownSwarmProvider>
      </HistoryRouter>,
    ),
  );
  return page.textContent;
}
const adding = (id: string, state: Action['state']) =>
  ({ kind: 'add_member', state, about: { swarm: { id, name: '' }, resource_type: 'both' } }) as Action;

beforeAll(() => loadTexts('en'));
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  actions.length = 0;
  root = createRoot(page);
});
afterEach(() => act(async () => root.unmount()));

test('while devices are being added, an empty swarm does not say that it has no members yet', async () => {
  actions.push(adding('s', 'running'));
  expect(await show()).toContain(t.members.adding_title);
  expect(page.textContent).not.toContain(t.members.empty_title);
});

test('an empty swarm says so, also while devices are added to another one, or after they were', async () => {
  actions.push(adding('other', 'running'), adding('s', 'ended'));
  expect(await show()).toContain(t.members.empty_title);
});
