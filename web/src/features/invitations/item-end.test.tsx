import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, test, vi } from 'vitest';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatDate, loadTexts } from '../../text/text.ts';
import { NowProvider } from '../../ui/texts/time.tsx';
import { ItemEnd } from './item-end.tsx';

beforeAll(() => loadTexts('en'));

/** The end of this day. */
const day = (day: number) => new Date(2030, 0, day, 23, 59, 59, 999).toISOString();

test.each([
  ['nothing', {}, ''],
  ['the offered end', { ends_at: day(3) }, ' · until {3}'],
  ['a later end', { ends_at: day(3), member_ends_at: day(2) }, ' · until {3} (now: until {2})'],
  ['the other role', { ends_at: day(3), other_role_ends_at: day(5) }, ' · until {3} (now: until {5})'],
  ['the same end', { ends_at: day(3), other_role_ends_at: day(3) }, ' · until {3}'],
  ['a first end', { ends_at: day(3), other_role_ends_at: null }, ' · until {3} (now: no end)'],
  ['the end that stays', { other_role_ends_at: day(5) }, ' · until {5}'],
  ['no end at all', { other_role_ends_at: null }, ''],
])('until when a device is a member: %s', async (_, item, text) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <NowProvider>
        <ItemEnd item={item as InvitationItem} before=" · " />
      </NowProvider>,
    ),
  );
  expect(container.textContent).toBe(
    text.replace(/\{(\d)\}/g, (_found, of: string) => formatDate(day(Number(of)), Date.now())),
  );
  await act(async () => root.unmount());
});
