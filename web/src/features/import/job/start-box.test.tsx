import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import type { Quota } from '../../../ui/fields/quota-note.tsx';
import type { FileError } from '../use-import-source.ts';
import { StartBox } from './start-box.tsx';

let error: FileError | null;
const counts = {
  fresh: 2000,
  changes: [7, 9],
  deletes: { keep_track: [], keep_values: [] },
  same: 0,
  invalid: 0,
  listed: [],
};
let check: object = counts;
let newer = 0;
let past: object | null = null;
const start = vi.fn<() => Promise<void>>();
vi.mock(import('../import-state.ts'), async (load) => ({
  ...(await load()),
  useImport: (slice) =>
    ({ check: { error }, rows: { check, left: { newer } }, job: { past }, starting: { isStarting: false, start } })[
      slice as 'check'
    ] as never,
}));

function textOf(quota: Quota, why: FileError | null = null): string {
  error = why;
  return renderToStaticMarkup(<StartBox quota={quota} />);
}

it.each([
  [99_500, 'Only 500 of the 2,000 new devices can be added', '500 devices will be added'],
  [98_001, 'Only 1,999 of the 2,000 new devices can be added', '1,999 devices will be added'],
  [120_000, 'Only 0 of the 2,000 new devices can be added', '2 of your devices will be changed'],
])('shows before the import how many new devices can be added, with %i in the account', (used, warning, sentence) => {
  const text = textOf({ used, allowed: 100_000 });
  expect(text).toContain(warning);
  expect(text).toContain(sentence);
  expect(text).not.toContain('2,000 devices will be added');
});

it.each([
  ['all devices fit', { used: 98_000, allowed: 100_000 }],
  ['there is no limit', { used: 5_000_000, allowed: null }],
])('does not mention the limit if %s', (_case, quota) => {
  expect(textOf(quota)).not.toContain('can be added');
});

it('announces why the file could not be read as the user wants', () => {
  expect(textOf({ used: 0, allowed: null }, 'wrong_encoding')).toMatch(/role="alert".*can’t be read in this encoding/);
});

it.each([
  ['each row is what its device has', { same: 3 }, 0, 'There is nothing to import'],
  ['the other rows have errors', { same: 3, invalid: 1 }, 0, 'No rows can be imported'],
  ['newer values are left out', { same: 3 }, 1, 'No rows can be imported'],
])('says why nothing is imported: %s', (_case, found, left, sentence) => {
  [check, newer] = [{ ...counts, fresh: 0, changes: [], ...found }, left];
  expect(textOf({ used: 0, allowed: 100 })).toContain(sentence);
  [check, newer] = [counts, 0];
});

it('warns of duplicates only if the file has rows of new devices', () => {
  past = { created_at: '2026-11-24T10:00:00Z', done: 3, failed: 0 };
  const warns = () => textOf({ used: 0, allowed: 100 }).includes('creates duplicates');
  expect(warns()).toBe(true);
  check = { ...counts, fresh: 0 };
  expect(warns()).toBe(false);
  [past, check] = [null, counts];
});

it('asks before it deletes what was recorded', async () => {
  [check, error] = [{ ...counts, deletes: { keep_track: [7], keep_values: [] } }, null];
  const { container, press, unmount } = await mountPart(<StartBox quota={{ used: 0, allowed: null }} />);
  await press('Import 2,002 rows');
  expect(start).not.toHaveBeenCalled();
  expect(container.textContent).toContain('The track of 1 device');
  await press('Import and delete');
  expect(start).toHaveBeenCalledOnce();
  await unmount();
  check = counts;
});
