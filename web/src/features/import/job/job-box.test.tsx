import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { ImportAction } from '../import-action.ts';
import { JobBox, timeLeft } from './job-box.tsx';

vi.mock(import('../../../data/actions/actions.ts'), async (load) => ({
  ...(await load()),
  useActionRequests: () => ({}) as never,
}));
vi.mock(import('../import-state.ts'), async (load) => ({
  ...(await load()),
  useImport: (slice) =>
    ({ check: { error: null }, source: { source: null }, job: { failedRows: [] } })[slice as 'check'] as never,
}));

test.each([
  ['waits in this browser', 'pending', null, 'rows.csv</bdi> waits', 'This browser keeps the rows'],
  ['is being sent', 'uploading', null, 'Uploading', 'Keep this tab open'],
  ['was received', 'pending', '2026-11-29T01:00:00Z', 'Importing', 'You can close this tab'],
  ['runs', 'running', '2026-11-29T01:00:00Z', 'Importing', 'You can close this tab'],
] as const)('an import that %s says where its rows are', (_case, state, runs_at, title, where) => {
  const job = {
    id: 'a1',
    kind: 'import',
    about: { file: 'rows.csv', hash: 'h' },
    state,
    runs_at,
    total: 2,
    done: 0,
    failed: 0,
  };
  const html = renderToStaticMarkup(<JobBox job={job as unknown as ImportAction} />);
  expect(html).toContain(title);
  expect(html).toContain(where);
});

test('the remaining time is extrapolated from the finished rows', () => {
  expect(timeLeft({ ms: 10_000, done: 100, rest: 400 })).toEqual({ minutes: 0, seconds: 40 });
  expect(timeLeft({ ms: 10_000, done: 100, rest: 30 })).toEqual({ minutes: 0, seconds: 3 });
  expect(timeLeft({ ms: 10_000, done: 100, rest: 2400 })).toEqual({ minutes: 4, seconds: 0 });
});

test('there is no estimate in the first seconds or before the first row', () => {
  expect(timeLeft({ ms: 500, done: 100, rest: 400 })).toBeUndefined();
  expect(timeLeft({ ms: 5000, done: 0, rest: 400 })).toBeUndefined();
});
