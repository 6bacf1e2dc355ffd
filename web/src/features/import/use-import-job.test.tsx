import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serveActions } from '../../data/actions/actions.fixture.ts';
import { actionsOf } from '../../data/actions/actions.ts';
import { hashOf } from './rows/csv-file.ts';
import { ImportState, useImport } from './import-state.ts';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const useImportPage = () => ({
  ...useImport('job'),
  file: useImport('source'),
  rows: { ...useImport('check'), ...useImport('rows') },
});

let server: ReturnType<typeof serveActions>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  server = serveActions();
});
afterEach(() => vi.unstubAllGlobals());

/** Each turn renders what has changed. The limit is for a busy machine. */

const createClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

async function visit(client = createClient()) {
  await actionsOf({ client }).read(new AbortController().signal);
  let page: ReturnType<typeof useImportPage> | undefined;
  function Harness() {
    const rendered = useImportPage();
    useLayoutEffect(() => {
      page = rendered;
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <ImportState user_id="ann">
          <Harness />
        </ImportState>
      </QueryClientProvider>,
    ),
  );
  return {
    page: () => page!,
    async leave() {
      await act(async () => root.unmount());
      client.clear();
    },
  };
}

/** An import of 2 rows that ended so many minutes ago. */
function addImport({ hash, failed, minutes }: { hash: string; failed: number; minutes: number }) {
  const at = new Date(Date.now() - minutes * 60_000).toISOString();
  server.actions.set('a1', {
    id: 'a1',
    kind: 'import',
    about: { file: 'rows.csv', hash },
    total: 2,
    done: 2,
    failed,
    changed: 2 - failed,
    state: 'ended',
    runs_at: at,
    created_at: at,
    ended_at: at,
    items: [],
    is_waiting: false,
    can_undo: false,
    undone_by: null,
  });
}

it.each([
  { minutes: 9, failed: 0, isShown: true },
  { minutes: 11, failed: 0, isShown: false },
  { minutes: 11, failed: 1, isShown: false },
])('shows an import that ended $minutes minutes ago: $isShown ($failed failed)', async ({ isShown, ...ended }) => {
  addImport({ hash: 'other', ...ended });
  const { page, leave } = await visit();
  expect(page().job !== null).toBe(isShown);
  expect(server.sent()).toEqual([]);
  await leave();
});

it.each([
  { minutes: 11, failed: 1, isDismissed: false },
  { minutes: 11, failed: 0, isDismissed: true },
  { minutes: 1, failed: 1, isDismissed: true },
])(
  'the next file dismisses an import of $minutes minutes ago with $failed failed rows: $isDismissed',
  async (ended) => {
    addImport({ hash: 'other', ...ended });
    const { page, leave } = await visit();
    await act(() => page().choose(new File(['name,type\none,pc'], 'rows.csv')));
    await waitFor(() => expect(page().rows.check?.invalid).toBe(0));
    await waitFor(() => expect(server.sent()).toEqual(ended.isDismissed ? ['POST /api/actions/a1/dismiss'] : []));
    await leave();
  },
);

it('a wrong file leaves the failed rows of the import before', async () => {
  const client = createClient();
  const { page, leave } = await visit(client);
  await act(() => page().choose(new File(['name,type\none,pc\ntwo,toaster'], 'rows.csv')));
  await waitFor(() => expect(page().rows.check?.invalid).toBe(1));
  addImport({ hash: page().file.source!.chosen.hash, failed: 1, minutes: 0 });
  await act(() => actionsOf({ client }).read(new AbortController().signal));
  await waitFor(() => expect(page().rest).toEqual([3]));
  await act(() => page().choose(new File([new Uint8Array([80, 75, 3, 4, 0, 0])], 'rows.xlsx')));
  expect(page().file.error).not.toBeNull();
  expect(page().rest).toEqual([3]);
  expect(page().job).not.toBeNull();
  expect(server.sent()).not.toContain('POST /api/actions/a1/dismiss');
  await leave();
});

it('keeps the file and its corrections, whatever import has ended', async () => {
  const client = createClient();
  const first = await visit(client);
  await act(() => first.page().choose(new File(['name,type\none,pc\ntwo,toaster'], 'rows.csv')));
  await waitFor(() => expect(first.page().rows.check?.invalid).toBe(1));
  await act(async () => void first.page().rows.fix(3, ['two', 'pc']));
  const { hash } = first.page().file.source!.chosen;
  await first.leave();
  for (const ended of [
    { hash: 'other', failed: 1, minutes: 11 },
    { hash, failed: 0, minutes: 0 },
  ]) {
    addImport(ended);
    const { page, leave } = await visit(client);
    await waitFor(() => expect(page().file.source?.chosen.name).toBe('rows.csv'));
    expect(page().file.source?.fixes).toEqual({ 3: ['two', 'pc'] });
    expect(page().job?.about.hash).toBe(ended.hash === hash ? hash : undefined);
    expect(server.sent()).toEqual([]);
    await leave();
  }
});

it('a file that was imported before it was chosen is not the one of that import, whose corrections nobody knows', async () => {
  const file = new File(['name,type\none,pc\ntwo,toaster'], 'rows.csv');
  addImport({ hash: await hashOf(file), failed: 0, minutes: 1 });
  const { page, leave } = await visit();
  await act(() => page().choose(file));
  await waitFor(() => expect(page().rows.check?.invalid).toBe(1));
  expect(page().job).toBeNull();
  expect(page().file.hasStarted).toBe(false);
  await leave();
});

it('the rest of a file has the lines of the file, also after a correction', async () => {
  const client = createClient();
  const { page, leave } = await visit(client);
  await act(() =>
    page().choose(new File(['Export\nname,type\none,pc\ntwo,toaster\nthree,pc\nfour,toaster'], 'rows.csv')),
  );
  await waitFor(() => expect(page().rows.check?.listed.map(({ line }) => line)).toEqual([4, 6]));
  addImport({ hash: page().file.source!.chosen.hash, failed: 0, minutes: 0 });
  await act(() => actionsOf({ client }).read(new AbortController().signal));
  await waitFor(() => expect(page().rest).toEqual([4, 6]));
  await act(() => page().fixRest());
  await waitFor(() => expect(page().rows.check).toMatchObject({ fresh: 0, listed: [{ line: 4 }, { line: 6 }] }));
  expect(page().file.source?.chosen.name).toBe('rows (rest).csv');
  await act(async () => void page().rows.fix(4, ['two', 'pc']));
  await waitFor(() => expect(page().rows.check).toMatchObject({ fresh: 1, listed: [{ line: 6 }] }));
  expect(page().job).toBeNull();
  await leave();
});

it('the rest of a file has also the rows that could not be read', async () => {
  const client = createClient();
  const { page, leave } = await visit(client);
  await act(() => page().choose(new File(['name,type\none,pc\ntwo,"pc"x\nthree,toaster'], 'rows.csv')));
  await waitFor(() => expect(page().rows.check).toMatchObject({ fresh: 1, invalid: 2 }));
  addImport({ hash: page().file.source!.chosen.hash, failed: 0, minutes: 0 });
  await act(() => actionsOf({ client }).read(new AbortController().signal));
  await waitFor(() => expect(page().rest).toEqual([3, 4]));
  await act(() => page().fixRest());
  await waitFor(() => expect(page().rows.check?.listed).toMatchObject([{ fields: ['two', '"pc"x'] }, { line: 4 }]));
  await act(async () => void page().rows.fix(3, ['two', 'pc']));
  await waitFor(() => expect(page().rows.check).toMatchObject({ fresh: 1, listed: [{ line: 4 }] }));
  await leave();
});

it('devices that exist already are known before the same file is imported again', async () => {
  const { page, leave } = await visit();
  server.devices.push({ id: 'i1', name: 'one' });
  await act(() => page().choose(new File(['name,type\none,pc\ntwo,pc'], 'rows.csv')));
  await waitFor(() => expect(page().rows.check).toMatchObject({ fresh: 2, known: [{ line: 2, name: 'one' }] }));
  await act(async () => page().rows.leaveKnown(true));
  await waitFor(() =>
    expect(page().rows).toMatchObject({ check: { fresh: 1, known: [] }, omitted: [2], left: { known: 1 } }),
  );
  await leave();
});

it('without the list of the user’s devices, a file without ids can still be imported', async () => {
  server = serveActions({
    answer: ({ path }) => (path === '/api/resources' ? new Response(null, { status: 500 }) : undefined),
  });
  const { page, leave } = await visit();
  await act(() => page().choose(new File(['name,type\none,pc'], 'rows.csv')));
  await waitFor(() => expect(page().rows).toMatchObject({ check: { fresh: 1 }, isNotCompared: true, error: null }));
  await leave();
});
