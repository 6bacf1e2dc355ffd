import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, test, vi } from 'vitest';
import { itemOf } from '../../../data/cache/invitation.fixture.ts';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { InvitationRow, type InvitationRowProps } from './invitation-row.tsx';

beforeAll(() => loadTexts('en'));

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test.each<[box: InvitationRowProps['box'], ends_at: string | undefined, says: string]>([
  ['sent', undefined, 'Withdrawn'],
  ['sent', inHours(1), 'Withdrawn'],
  ['sent', inHours(-1), 'Expired'],
  ['received', undefined, 'No longer open'],
  ['received', inHours(-1), 'Expired'],
])('a request in %s that is gone, with the end %s: %s', async (box, ends_at, says) => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 404, code: 'invitation.not_found' }, { status: 404 }));
  const item = itemOf('1', 1, { is_request: true, ...(ends_at !== undefined && { ends_at }) });
  const handlers = { select() {}, toggle() {}, answer() {} };
  const { container, waitFor, unmount } = await mountPart(
    <InvitationRow item={item} box={box} selected={false} checked={false} ended tabIndex={0} handlers={handlers} />,
    new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  );
  await waitFor(() => expect(container.querySelector('.invitation-answering')!.textContent).toBe(says));
  await unmount();
});
