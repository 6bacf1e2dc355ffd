import { beforeAll, expect, test } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { MessageTools } from './message-tools.tsx';

beforeAll(() => loadTexts('en'));

test.each([
  ['2026-11-28T10:00:00.000Z', '2026-11-28T09:00:00.000Z', true],
  ['2026-11-28T09:00:00.000Z', '2026-11-28T10:00:00.000Z', false],
  ['2026-11-28T09:00:00.000Z', '', false],
])('from %s until %s, nothing can be found: %s', async (after, before, isSwapped) => {
  const search = { from: '', q: '', after, before };
  const { container, unmount } = await mountPart(
    <MessageTools swarm_id="s" search={search} choice={null} onSearch={() => {}} />,
  );
  expect(container.textContent.includes(t.messages.too_early)).toBe(isSwapped);
  await unmount();
});
