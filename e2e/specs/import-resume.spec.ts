import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { batchOf } from '../intercept-requests.ts';
import { expect, test } from '../fixtures.ts';
import { ImportPage } from '../pages/import.page.ts';
import { StartPage } from '../pages/start.page.ts';

const long = process.env['SWARMDECK_LONG'] === '1';
const lines = readFileSync(join(import.meta.dirname, '../data/stations.csv'), 'utf8')
  .trim()
  .split('\n');
/** All rows, or the first ones, which include the invalid row. */
const rows = lines.slice(0, long ? lines.length : 802);
const stations = { name: 'stations.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
const good = rows.length - 2;
const goodText = good.toLocaleString('en-GB');
const added = `${goodText} devices were added`;
const half = Math.floor(good / 2);

if (long) test.setTimeout(600_000);
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
  const cut = cutAt(page, half);
  await before.start();
  await cut;
  await page.close();
  await server.end();
  await server.again();

  const next = await context.newPage();
  const after = new ImportPage(next);
  const seen = Promise.withResolvers<void>();
  await next.route('**/api/batch', async (route) => {
    await seen.promise;
    await route.continue();
  });
  await next.goto('/');
  await expect(after.strip).toContainText('Importing stations.csv');
  await after.strip.click();
  seen.resolve();
  await expect(after.job).toContainText(added, whileImporting);
  await expectEachOnce(next);
  await next.reload();
  await expect(after.chooseButton).toBeVisible();
});

test('if the browser saved no file, the same file must be chosen again, and no other is accepted', async ({
  page,
  context,
  server,
}) => {
  const before = new ImportPage(page);
  await before.open();
  await before.choose(stations);
  await expect(before.check).toContainText(`${goodText} new`);
  const cut = cutAt(page, half);
  await before.start();
  await cut;
  await before.loseKeptFile();
  await page.close();
  await server.end();
  await server.again();

  const next = await context.newPage();
  const after = new ImportPage(next);
  await after.open();
  await expect(after.chooseAgainButton).toBeVisible();
  await after.chooseText('name,type\nAnother file,pc\n', 'stations.csv');
  await expect(after.job).toContainText('This is a different file');
  await after.choose(stations);
  await expect(after.job).toContainText(added, whileImporting);
  await expectEachOnce(next);
});

test('a second tab leaves the import to the first one and continues it when that is closed', async ({
  page,
  context,
}) => {
  const first = new ImportPage(page);
  await first.open();
  await first.chooseText(['name,type', ...Array.from({ length: 500 }, (_, row) => `Device ${row},pc`)].join('\n'));
  const held = cutAt(page, 100);
  await first.start();
  await held;
  const next = await context.newPage();
  const second = new ImportPage(next);
  await second.open();
  await expect(second.job).toContainText('is being imported in another tab');
  await page.close();
  await expect(second.job).toContainText('500 devices were added');
  expect(await devices(next)).toHaveLength(500);
});

/** Resolves when `count` rows were sent. From then on requests arrive, but their responses are lost. */
function cutAt(page: Page, rows: number): Promise<void> {
  let sent = 0;
  return new Promise((resolve) => {
    void page.route('**/api/batch', async (route) => {
      sent += batchOf(route.request()).length;
      if (sent <= rows) return route.continue().catch(() => undefined);
      await route.fetch().catch(() => undefined);
      return resolve();
    });
  });
}

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
