import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { InviteFoot } from './invite-foot.tsx';
import type { Invite } from './use-invite.ts';

beforeAll(() => loadTexts('en'));

test.each<[end: { choice: 'none' | 'hour' | 'date'; date: string }, says: RegExp]>([
  [{ choice: 'none', date: '' }, /Role: sends\. +A device joins/],
  [{ choice: 'hour', date: '' }, /Membership until .*\d\d:\d\d.*\. +A device joins/],
  [{ choice: 'date', date: '' }, /Role: sends\. +A device joins/],
])('before they are sent, the end of the memberships is named: %o', async (value, says) => {
  const counts = {
    to_send: 2,
    people: 1,
    again: 0,
    kept: 0,
    left_out: 0,
    malformed: 0,
    roles: { producer: 2, consumer: 0, both: 0 },
  };
  const codes = { counts, columns: { open: 0 } };
  const invite = { swarm: { id: 's1', name: 'Harbour' }, codes, end: { value } } as unknown as Invite;
  const { container, unmount } = await mountPart(<InviteFoot invite={invite}>{null}</InviteFoot>);
  expect(container.textContent).toMatch(says);
  await unmount();
});
