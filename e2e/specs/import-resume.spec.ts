import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { ImportPage } from '../pages/import.page.ts';
import { StartPage } from '../pages/start.page.ts';

test.use({ mounted: false });

const long = process.env['SWARMDECK_LONG'] === '1';
const lines = readFileSync(join(import.meta.dirname, '../data/stations.csv'), 'utf8')
  .trim()
  .split('\n');
/** All rows, or the first ones, which include the invalid row. */
const rows = lines.slice(0, long ? lines.length : 802);
const stations = { name: 'stations.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
const good = rows.length - 2;
const goodText = good.toLocaleString('en-GB');
const imported = `${goodText} rows were imported`;

test.setTimeout(long ? 600_000 : 180_000);
const whileImporting = { timeout: long ? 400_000 : 120_000 };

test('an import continues after its tab is closed and the server restarts, without losing or duplicating a row', async ({
  page,
  context,
  server,
  home,
}) => {
  const before = new ImportPage(page);
  await home.open();
  await new StartPage(page).goToImport();
  await before.choose(stations);
  await expect(before.check).toContainText(`${goodText} new`);
  await expect(before.refused(778)).toContainText('is outside −90 to 90; swapped?');
  const started = page.waitForResponse('**/start');
  await before.start();
  await started;
  await page.close();
  await server.end();
  await server.again();

  const next = await context.newPage();
  const after = new ImportPage(next);
  await after.open();
  await expect(after.job).toContainText('stations.csv');
  await expect(after.job).toContainText(imported, whileImporting);
  await expectEachOnce(next);
  // the next file can be chosen beside the result
  await expect(after.chooseButton).toBeVisible();
});

test(
  'every tab shows the import, and it continues when the tab that started it is closed @sources',
  { tag: '@long' },
  async ({ page, context, server }) => {
    await server.holdActionsAt('Device 700"');
    const first = new ImportPage(page);
    await first.open();
    await first.chooseText(['name,type', ...Array.from({ length: 1200 }, (_, row) => `Device ${row},pc`)].join('\n'));
    const next = await context.newPage();
    const second = new ImportPage(next);
    await second.open();
    const started = page.waitForResponse('**/start');
    await first.start();
    await started;
    await page.close();
    await expect(second.job).toContainText('devices.csv');
    await expect(second.progress).toHaveJSProperty('max', 1200);
    await server.holdActionsAt();
    await expect(second.job).toContainText('1,200 rows were imported', whileImporting);
    await expect(devices(next)).resolves.toHaveLength(1200);
  },
);

async function expectEachOnce(page: Page) {
  const names = rows.slice(1).flatMap((line) => (line.startsWith('Loon Creek') ? [] : (nameOf(line) ?? line)));
  const made = (await devices(page)).map(({ name }) => name);
  expect(made).toHaveLength(good);
  expect(made.toSorted()).toEqual(names.toSorted());
}

const nameOf = (line: string) =>
  /^(?:"((?:[^"]|"")*)"|([^,]*)),/.exec(line)?.slice(1).find(Boolean)?.replaceAll('""', '"');

async function devices(page: Page) {
  return (await (await page.request.get('/api/resources')).json()) as Resource[];
}
