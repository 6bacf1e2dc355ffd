import { act, useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { noInvitations, useBoardSelection } from './use-board-selection.ts';

beforeAll(() => loadTexts('en'));

const rowsOf = (q: string) =>
  ['a1', 'a2', 'b1', 'b2']
    .filter((id) => id.includes(q))
    .map((id) => ({ id, status: 'new' }) as unknown as InvitationItem);

async function show() {
  const shown: { selection?: ReturnType<typeof useBoardSelection>; search?: (q: string) => void } = {};
  function Board() {
    const [q, search] = useState('a');
    const [stored, update] = useState(noInvitations);
    const rows = rowsOf(q);
    const options = { swarm_id: 's', rows, state: 'new', q, stored, update, total: rows.length } as const;
    Object.assign(shown, { selection: useBoardSelection(options), search });
    return null;
  }
  const { unmount } = await mountPart(<Board />);
  const checked = () => {
    const { has, count } = shown.selection!.checked;
    return { ids: rowsOf('').flatMap(({ id }) => (has(id) ? [id] : [])), count };
  };
  const check = () => shown.selection!.check;
  return { unmount, checked, check, search: (q: string) => act(async () => shown.search!(q)) };
}

test('what is selected under another search stays selected when all or none are selected', async () => {
  const { unmount, checked, check, search } = await show();
  await act(async () => check().toggle('a1', false));
  await search('b');
  expect(checked()).toEqual({ ids: [], count: 0 });
  await act(async () => check().all());
  expect(checked()).toEqual({ ids: ['b1', 'b2'], count: 2 });
  await search('');
  expect(checked()).toEqual({ ids: ['a1', 'b1', 'b2'], count: 3 });
  await search('b');
  await act(async () => check().none());
  await search('');
  expect(checked()).toEqual({ ids: ['a1'], count: 1 });
  await act(async () => check().clear());
  expect(checked()).toEqual({ ids: [], count: 0 });
  await unmount();
});
