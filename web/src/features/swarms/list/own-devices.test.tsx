import type { SwarmItem } from '@swarmdeck/bff/contract';
import { beforeAll, expect, test, vi } from 'vitest';
import { formatNumber, loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { SwarmTable } from './swarm-table.tsx';

beforeAll(() => loadTexts('en'));

const query = {
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  error: null,
  fetchNextPage: () => undefined,
};

test.each([
  ['managed', 'manager', 2],
  ['managed', 'manager', 1234],
  ['managed', 'manager', 0],
  ['owned', 'owner', 2],
] as const)('a swarm that is %s says how many devices of the user are in it: %s, %d', async (kind, relation, both) => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  const own = { producer: 0, consumer: 0, both };
  const swarm = { id: 's', name: 'Harbour', user_id: 'ann', relation, own, member_count: 9 } as SwarmItem;
  const { container, unmount } = await mountPart(<SwarmTable kind={kind} swarms={[swarm]} count="1" query={query} />);
  const says = relation === 'manager' && both > 0;
  expect(container.querySelector('.swarm-table-part')!.textContent).toContain(t.swarms.list.none_open);
  expect(container.querySelector('.swarm-table-own')?.textContent).toBe(
    says ? t.swarms.list.own_count(formatNumber(both)) : undefined,
  );
  await unmount();
  vi.restoreAllMocks();
});
