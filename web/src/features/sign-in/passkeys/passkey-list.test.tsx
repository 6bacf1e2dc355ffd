import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';
import { PasskeyList } from './passkey-list.tsx';

test.each([
  { who: 'a user', account: { user_id: 'ann' }, isTold: false },
  { who: 'an operator', account: { user_id: 'ann', role: 'operator' }, isTold: true },
])('where passkeys do not work, $who is told which setting they need: $isTold', async ({ account, isTold }) => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [] }));
  // A read account would be that of the tests that follow in this page.
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(queryKeys.account, account);
  const { container, unmount } = await mountPart(<PasskeyList canAdd={false} />, client);
  await waitFor(() => expect(container.textContent).toContain(t.account.passkeys.no_name));
  expect(container.textContent.includes('PUBLIC_URL')).toBe(isTold);
  await unmount();
});
