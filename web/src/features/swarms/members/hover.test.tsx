import type { Member, MemberPage, SwarmItem } from '@swarmdeck/bff/contract';
import { createElement } from 'react';
import { beforeEach, test, vi } from 'vitest';
import { deviceFields, expectHoverToRenderRows, facets, profiled, stubDesk } from '../../../bulk/hover.fixture.tsx';
import { HistoryRouter } from '../../../ui/urls/router.tsx';
import { NowProvider } from '../../../ui/texts/time.tsx';
import { ShownSwarmProvider } from '../use-shown-swarm.ts';
import { MembersTab } from './members-tab.tsx';
import { useMembersSymbols } from './use-members-map-props.ts';

// Another test of this worker may have loaded the parts as they are.
await vi.hoisted(async () => {
  vi.resetModules();
  const { loadTexts } = await import('../../../text/text.ts');
  await loadTexts('en');
});
// They are above the table, and render whenever the tab does.
vi.mock(import('./member-chips.tsx'), async (original) => {
  const { MemberChips } = await original();
  return { MemberChips: (props) => profiled('filters', createElement(MemberChips, props)) };
});
vi.mock(import('./member-row.tsx'), async (original) => {
  const { MemberRowFrame, ...rest } = await original();
  return {
    ...rest,
    MemberRowFrame: (props) => profiled(props.member.name, createElement(MemberRowFrame, props)),
  };
});

const at = deviceFields.created_at;
const swarm = { id: 's', user_id: 'ann', name: 'Harbour', relation: 'owner', member_count: 3 } as SwarmItem;
const member = (name: string): Member => ({
  ...deviceFields,
  id: name,
  name,
  member_since: at,
  resource_type: 'both',
});
const page: MemberPage = {
  items: [member('Buoy'), member('Gauge'), member('Mast')],
  next: null,
  total: 3,
  at,
  facets: { ...facets, resource_type: { both: 3, consumer: 0, producer: 0 } },
};
beforeEach(() => stubDesk(() => page));

function Map() {
  return <p>{useMembersSymbols().hoveredId ?? 'nothing'} on the map</p>;
}

test('the pointer on a row renders this row, the row that it leaves and the map, and not the page', async () => {
  await expectHoverToRenderRows(
    <HistoryRouter>
      <NowProvider>
        <ShownSwarmProvider swarm={swarm} user_id="ann">
          <MembersTab map={profiled('map', <Map />)} />
        </ShownSwarmProvider>
      </NowProvider>
    </HistoryRouter>,
  );
});
