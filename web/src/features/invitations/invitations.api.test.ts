import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { ProblemError } from '../../api/problem.ts';
import { itemOf, pageOf } from '../../api/invitation.fixture.ts';
import { invitationPagesQuery, sendAnswer } from './invitations.api.ts';
import type { BoxQuery } from '../../api/query-keys.ts';

afterEach(() => vi.unstubAllGlobals());

const received: BoxQuery = { box: 'received', side: 'new', q: '' };

/** How many rows are shown for a query while it loads, after the received invitations were shown. */
function rowsWhileLoading(next: BoxQuery): number {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const client = new QueryClient();
  const page = pageOf([itemOf('a', 1)]);
  client.setQueryData(invitationPagesQuery(received).queryKey, { pages: [page], pageParams: [null] });
  const observer = new InfiniteQueryObserver(client, invitationPagesQuery(received));
  const stop = observer.subscribe(() => undefined);
  observer.setOptions(invitationPagesQuery(next));
  const { data } = observer.getCurrentResult();
  stop();
  client.clear();
  return data?.pages.flatMap(({ items }) => items).length ?? 0;
}

test.each([
  ['Sent', { ...received, box: 'sent' }],
  ['the history', { ...received, side: 'answered' }],
  ['one device', { ...received, resource: 'r1' }],
] as [string, BoxQuery][])('%s does not show the rows of the previous list while it loads', (_name, next) => {
  expect(rowsWhileLoading(next)).toBe(0);
});

test('a search shows the previous rows while it loads', () => {
  expect(rowsWhileLoading({ ...received, q: 'quay' })).toBe(1);
});

test('withdrawing an invitation that does not exist fails', async () => {
  const problem = { type: '', title: '', status: 404, detail: '', code: 'invitation.not_found', request_id: '' };
  const headers = { 'content-type': 'application/problem+json' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(problem), { status: 404, headers }));
  const item = { id: 'i1', resource_id: 'r1', swarm_id: 's1' };
  await expect(sendAnswer({ item, answer: 'withdraw', keepalive: false })).rejects.toThrow(ProblemError);
});
