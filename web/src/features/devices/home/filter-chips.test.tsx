import type { DevicePage } from '@swarmdeck/bff/contract';
import { expect, test } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { FilterChips } from './filter-chips.tsx';

test('the filter by a swarm lists the twenty with most devices and the chosen one, and a search for the others', async () => {
  await loadTexts('en');
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, scrollBy: () => undefined });
  const swarms = Array.from({ length: 30 }, (_, count) => ({ id: `s${count}`, name: `Swarm ${count}`, count }));
  const facets = { machine_type: {}, swarms } as unknown as DevicePage['facets'];
  const { container, press, unmount } = await mountPart(
    <FilterChips
      filters={{ swarm: 's3' }}
      facets={facets}
      stack={false}
      onChange={() => {}}
      onAudience={() => {}}
      onLeaveStack={() => {}}
    />,
  );
  await press('Swarm 33');
  const items = [...container.querySelectorAll('[role^=menuitem]')].map(({ textContent }) => textContent);
  const listed = [
    'Swarm 33',
    ...swarms
      .slice(10)
      .toReversed()
      .map(({ name, count }) => `${name}${count}`),
  ];
  expect(items).toEqual([t.devices.any_swarm, ...listed, t.devices.find_swarm]);
  await unmount();
});
