import { InfiniteQueryObserver, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { itemOf, pageOf } from '../../data/cache/invitation.fixture.ts';
import { withChanges, withNewest, withoutItems } from '../../data/cache/cached-invitations.ts';
import { queryKeys, type BoxQuery } from '../../data/cache/query-keys.ts';
import { loadTexts } from '../../text/text.ts';
import { invitationPagesQuery, mergeHead, receivedText, sentText, stateText, useBoxSide } from './invitations.api.ts';

afterEach(() => vi.unstubAllGlobals());

const received: BoxQuery = { box: 'received', side: 'new', q: '' };

/** How many rows are shown for a query while it loads, after the received invitations were shown. */
function rowsWhileLoading(next: BoxQuery): number {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const client = new QueryClient();
  const page = pageOf([itemOf('a', 1)]);
  client.setQueryData(invitationPagesQuery(received).queryKey, { pages: [page], pageParams: [{ limit: 100 }] });
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

test('a search that has loaded shows only what it found', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const all = Array.from({ length: 150 }, (_, at) => itemOf(`i${at}`, 200 - at));
  const found = itemOf('found', 1);
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    return Response.json(path.includes('q=') ? pageOf([found]) : pages[0]);
  });
  const shown: string[][] = [];
  function Side({ q }: { q: string }) {
    const side = useBoxSide({ ...received, q });
    if (q && !side.status.isChanging) shown.push(side.rows.all().map(({ id }) => id));
    return null;
  }
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 5000 } } });
  const pages = [pageOf(all.slice(0, 100), 'second'), pageOf(all.slice(100))];
  client.setQueryData(invitationPagesQuery(received).queryKey, {
    pages,
    pageParams: [{ limit: 100 }, { cursor: 'second', limit: 200 }],
  });
  const root = createRoot(document.createElement('div'));
  const render = async (q: string) => {
    await act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <Side q={q} />
        </QueryClientProvider>,
      ),
    );
    await act(async () => vi.advanceTimersByTimeAsync(100));
  };
  await render('');
  await render('found');
  await act(async () => root.unmount());
  client.clear();
  expect(new Set(shown.map(String))).toEqual(new Set(['found']));
  expect(requests.filter((path) => path.includes('q='))).toHaveLength(1);
});

test('the newest rows of all are not merged into the list of one device, with which a user would answer for another one', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const ofDevice = invitationPagesQuery({ ...received, resource: 'r1' }).queryKey;
  const own = { pages: [pageOf([itemOf('own', 1)])], pageParams: [{ limit: 100 }] };
  const client = new QueryClient();
  client.setQueryData(ofDevice, own);
  client.setQueryData(invitationPagesQuery(received).queryKey, own);
  vi.stubGlobal('fetch', async () => Response.json(pageOf([itemOf('other', 2), itemOf('own', 1)])));
  const shown: string[][] = [];
  function Side() {
    shown.push(
      useBoxSide(received)
        .rows.all()
        .map(({ id }) => id),
    );
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Side />
      </QueryClientProvider>,
    ),
  );
  await act(async () => client.refetchQueries({ queryKey: queryKeys.invitations.heads }));
  await act(async () => vi.advanceTimersByTimeAsync(100));
  expect(shown.at(-1)).toEqual(['other', 'own']);
  expect(client.getQueryData(ofDevice)).toBe(own);
  await act(async () => root.unmount());
  client.clear();
});

const ids = (pages: { items: { id: string }[] }[]) => pages.flatMap(({ items }) => items.map(({ id }) => id));
const range = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => itemOf(`i${from - at}`, from - at));

test('new items are added at the top, and the older pages stay', () => {
  const pages = [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))];
  const merged = mergeHead({ pages, head: pageOf(range(8, 6), 'y') });
  expect(ids(merged)).toEqual(['i8', 'i7', 'i6', 'i5', 'i4', 'i3', 'i2', 'i1']);
  expect(merged.map(({ next }) => next)).toEqual(['x', null]);
});

test('items that are missing in the range of the newest page are removed', () => {
  const head = pageOf([itemOf('i6', 6), itemOf('i3', 3)], 'y');
  expect(ids(mergeHead({ pages: [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))], head }))).toEqual([
    'i6',
    'i3',
    'i2',
    'i1',
  ]);
});

test('a newest page without a next page replaces all pages', () => {
  const pages = [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))];
  expect(ids(mergeHead({ pages, head: pageOf(range(6, 5)) }))).toEqual(['i6', 'i5']);
});

test('an item that was sent again moves to the top', () => {
  const head = pageOf([itemOf('i2', 9), itemOf('i6', 6)], 'y');
  const merged = mergeHead({ pages: [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))], head });
  expect(ids(merged)).toEqual(['i2', 'i6', 'i5', 'i4', 'i3', 'i1']);
});

test('a whole list that grows beyond one page stays whole', () => {
  const merged = mergeHead({ pages: [pageOf(range(5, 1))], head: pageOf(range(6, 2), 'y') });
  expect(ids(merged)).toEqual(['i6', 'i5', 'i4', 'i3', 'i2', 'i1']);
  expect(merged.map(({ next }) => next)).toEqual([null]);
});

test.each([null, 'x'])('rows behind a gap are read again, also if the list was read to %s', (next) => {
  const merged = mergeHead({
    pages: [pageOf(range(4, 3), 'w'), pageOf(range(2, 1), next)],
    head: pageOf(range(9, 5), 'y'),
  });
  expect(ids(merged)).toEqual(['i9', 'i8', 'i7', 'i6', 'i5']);
  expect(merged.map((page) => page.next)).toEqual(['y']);
});

test('if none of the loaded rows is older than the newest page, what follows is read from its end', () => {
  const merged = mergeHead({ pages: [pageOf(range(9, 6), 'x')], head: pageOf(range(8, 3), 'y') });
  expect(ids(merged)).toEqual(['i8', 'i7', 'i6', 'i5', 'i4', 'i3']);
  expect(merged.map((page) => page.next)).toEqual(['y']);
});

test('pages in which nothing has changed stay as they are', () => {
  const pages = [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))];
  expect(mergeHead({ pages, head: { ...pages[0]! } })).toBe(pages);
  const whole = [pageOf(range(3, 1))];
  expect(mergeHead({ pages: whole, head: { ...whole[0]! } })).toBe(whole);
});

test('unchanged pages keep their identity', () => {
  const page = pageOf(range(3, 1));
  expect(withoutItems(page, () => false)).toBe(page);
  expect(withChanges(page, (item) => item)).toBe(page);
  expect(ids([withNewest(page, [itemOf('i9', 9)])])).toEqual(['i9', 'i3', 'i2', 'i1']);
});

test('nobody is told that the owner of a device that is gone has rejected its invitations', async () => {
  await loadTexts('en');
  const rejected = itemOf('a', 1, { status: 'rejected' });
  const gone = { ...rejected, is_former_device: true } as const;
  expect(stateText(rejected)).toBe('rejected');
  expect(stateText(gone)).toBe('not accepted');
  expect(stateText({ ...gone, status: 'accepted' })).toBe('accepted');
});

test.each(['de', 'en'])(
  'in %s, the sentence of a row ends with the device, which has the second line of a phone',
  async (language) => {
    await loadTexts(language);
    const request = itemOf('1', 1, { is_request: true });
    const unknown = itemOf('1', 1, { sent_by: null });
    const joined = itemOf('1', 1, { sent_by: null, joined_by: 'link' });
    const kinds = [request, itemOf('1', 1), unknown, joined].flatMap((item) => [
      item,
      { ...item, member_ends_at: item.sent_at },
    ]);
    for (const item of kinds)
      for (const text of [receivedText(item), sentText(item)])
        expect(text).toMatch(/^[^{]*(\{(from|to)\}[^{]*)?\{device\}$/);
  },
);
