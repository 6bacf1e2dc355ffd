import { expect, test } from 'vitest';
import type { Activity } from '@swarmdeck/bff/contract';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { groupsOf } from './activity-groups.ts';
import { ActivityGroupLine } from './activity-line.tsx';

test('a restored backup says since when changes may be undone, and leads to what to check', async () => {
  await loadTexts('en');
  const at = '2026-01-02T03:04:05.000Z';
  const kind = 'account.server_restored';
  const entry: Activity = { id: 1, at: '2026-01-03T00:00:00.000Z', kind, actor: '(operator)', detail: at };
  const [group] = groupsOf([entry]);
  const page = await mountPart(<ActivityGroupLine group={group!} user_id="ann" isUnread={() => true} more={0} />);
  const { container } = page;
  const words = container.querySelector('.activity-words')!;
  expect(words.textContent).toMatch(
    /^New The server was restored from a backup\. Changes after .*\b2\b.* may be undone\. Check who sees your devices/,
  );
  expect(words.querySelector('time')!.dateTime).toBe(at);
  expect([...words.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    [t.activity.show_swarms, '/swarms'],
    [t.activity.show_account, '/account'],
  ]);
  await page.unmount();
});
