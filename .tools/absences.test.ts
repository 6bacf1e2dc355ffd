import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { allUnprovenAbsences, unprovenAbsences } from './absences.ts';

test('no journey asserts that something is not there before its cause', () => {
  expect(allUnprovenAbsences(dirname(import.meta.dirname))).toEqual([]);
});

const journey = (...lines: string[]) =>
  ["test('a title', async ({ page }) => {", ...lines.map((line) => `  ${line}`), '});'].join('\n');

test.each([
  { before: 'await home.open();', absence: "await expect(home.row('Buoy 7')).toBeHidden();" },
  { before: 'await page.reload();', absence: "await expect(home.notice).not.toContainText('Deleting');" },
  {
    before: "await page.keyboard.press('Escape');",
    absence: "await expect(palette.dialog, 'after Escape').toHaveCount(0);",
  },
])('an empty page passes: $before $absence', ({ before, absence }) => {
  expect(unprovenAbsences(journey(before, absence))).toEqual([3]);
});

test.each([
  {
    why: 'it was there',
    before: ["await home.select('Buoy 7');", 'await expect(home.card).toBeVisible();', 'await page.goBack();'],
  },
  {
    why: 'something else has arrived',
    before: ['await page.reload();', "await expect(home.row('Buoy 7')).toBeVisible();"],
  },
  { why: 'the part was used', before: ["await home.select('Buoy 7');", "await page.keyboard.press('Escape');"] },
])('it is proven, because $why', ({ before }) => {
  expect(unprovenAbsences(journey(...before, 'await expect(home.card).toBeHidden();'))).toEqual([]);
});
