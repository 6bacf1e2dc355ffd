import { beforeAll, expect, test } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../mounted.fixture.tsx';
import { PresenceChips } from './presence-chips.tsx';

beforeAll(() => loadTexts('en'));

const { online, offline, silent, never } = t.shell.presence_names;

test.each([
  { counts: { online: 1, offline: 2, silent: 3, never: 4 }, shown: [online, offline, silent, never] },
  { counts: { online: 0, offline: 0, silent: 0, never: 4 }, shown: [] },
])('each state is a filter with its count, once a device was heard: $shown', async ({ counts, shown }) => {
  const { container, unmount } = await mountPart(
    <PresenceChips counts={counts} chosen={undefined} onToggle={() => {}} />,
  );
  const chips = [...container.querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(chips).toEqual(shown.map((name, index) => `${name}${index + 1}`));
  await unmount();
});
