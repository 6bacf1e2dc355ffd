import { join } from 'node:path';
import type { Resource } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { ImportPage } from '../pages/import.page.ts';
import { StartPage } from '../pages/start.page.ts';

const data = join(import.meta.dirname, '../data');
const messy = join(data, 'messy.csv');

test('a messy file: each row that stays out says why, and one is mended on the spot', async ({ page, home, step }) => {
  const file = new ImportPage(page);
  await step('Start leads to it', async () => {
    await home.open();
    await new StartPage(page).goToImport();
    await expect(file.heading).toBeVisible();
  });
  await step('columns are recognised, rows are checked, nothing is written', async () => {
    await file.choose(messy);
    await expect(file.use('Machine Type')).toHaveValue('machine_type');
    await expect(file.use('Lon')).toHaveValue('longitude');
    await expect(file.check).toContainText('11 new');
    await expect(file.check).toContainText('11 with errors');
    await expect(file.refused(3)).toContainText('empty; a name is required');
    await expect(file.refused(5)).toContainText('“toaster” is not PC, Bug or Smartphone');
    await expect(file.job).toContainText('11 devices will be added');
  });
  await step('a row is mended here, and still says what is wrong with it', async () => {
    await file.openFix(3);
    await expect(file.fixField('Name')).toHaveAttribute('aria-invalid', 'true');
    await file.fixField('Lat').fill('91');
    await file.fixField('Name').fill('Named by hand');
    await file.saveFix();
    await expect(file.fixField('Lat')).toBeFocused();
  });
  await step('mended, it is one of the good ones', async () => {
    await file.fixField('Lat').fill('50');
    await file.saveFix();
    await expect(file.check).toContainText('12 new');
    await expect(file.refused(3)).toHaveCount(0);
    await expect(file.totals).toBeFocused();
  });
  const { name, text } = await file.saveErrorRows();
  expect(name).toBe('messy errors.csv');
  expect(text).toContain('Wrong type;toaster;x;10;50;');
  expect(text.trim().split('\r\n')).toHaveLength(11);
  await step('the good rows become devices', async () => {
    await file.start();
    await expect(file.job).toContainText('12 devices were added');
    await file.openFix(5);
    await expect(file.fixField('Machine Type')).not.toBeEditable();
    await page.keyboard.press('Escape');
  });
  await step('and are in the list', async () => {
    await file.toDevices.click();
    await expect(home.count).toHaveText(/^12\b/);
    await expect(home.row('Named by hand')).toBeVisible();
  });
  await step('the same file again is told of', async () => {
    await file.open();
    await file.choose(messy);
    await expect(file.job).toContainText('Importing it again adds all of them a second time');
  });
});

test('columns nobody recognises are chosen', { tag: '@once' }, async ({ page, step }) => {
  const file = new ImportPage(page);
  await file.open();
  await step('what no spreadsheet program would call text is told', async () => {
    await file.choose({ name: 'devices.xlsx', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004\0\0') });
    await expect(file.fault).toContainText('This is not a text file.');
  });
  await step('what a device needs is asked for', async () => {
    await file.drop('what,sort,serial\nPier 4 anemometer,bug,A-20931\n');
    await expect(file.check).toContainText('Choose a column for Name and Machine type');
    await expect(file.startButton).toBeDisabled();
  });
  await step('and the dry run follows each choice', async () => {
    await file.use('what').selectOption('Name');
    await file.use('serial').selectOption('Machine type');
    await expect(file.refused(2)).toContainText('“A-20931” is not PC');
    await file.use('sort').selectOption('Machine type');
    await expect(file.use('serial')).toHaveValue('skip');
    await expect(file.check).toContainText('1 new');
    await expect(file.startButton).toHaveText('Import 1 device');
  });
});

test(
  'devices are saved as a file, changed there, and imported: each row changes the device it names',
  { tag: '@once' },
  async ({ page, user, step }) => {
    const file = new ImportPage(page);
    const position = { longitude: 10, latitude: 54 };
    await user.addMany([
      { name: 'Buoy 1', machine_type: 'bug', description: 'red', position },
      { name: 'Buoy 2', machine_type: 'bug', position },
      { name: 'Buoy 3', machine_type: 'pc' },
    ]);
    await file.open();
    const { name, text } = await file.saveDevices();
    expect(name).toBe('my devices.csv');
    const changed = text.replace('Buoy 2', 'Fairway buoy').replace(',red,10,54', ',,11,54');
    await step('only what is new or changed is said to happen', async () => {
      await file.chooseText(`${changed},Buoy 4,pc,,,\r\n00000000-0000-0000-0000-000000000000,Nobody’s,pc,,,\r\n`, name);
      await expect(file.use('id')).toHaveValue('id');
      await expect(file.check).toContainText('1 new');
      await expect(file.check).toContainText(/2 (changed, to update|to update)/);
      await expect(file.check).toContainText('1 unchanged');
      await expect(file.check).toContainText('is not one of your devices');
      await expect(file.job).toContainText('2 of your devices will be changed.');
    });
    await step('and happens', async () => {
      await file.start();
      await expect(file.job).toContainText('3 devices were added or changed');
    });
    const now = (await devices(page)).map((device) => [
      device.name,
      device.description ?? '',
      device.position?.longitude,
    ]);
    expect(now.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['Buoy 1', '', 11],
      ['Buoy 3', '', undefined],
      ['Buoy 4', '', undefined],
      ['Fairway buoy', '', 10],
    ]);
  },
);

test('paused, it adds no more; stopped, what is in stays', { tag: '@once' }, async ({ page, step }) => {
  const file = new ImportPage(page);
  await slowly(page);
  await file.open();
  await file.chooseText(manyRows(3000));
  await step('paused', async () => {
    await expect(file.heading).toBeFocused();
    await file.start();
    await expect(file.progress).toHaveJSProperty('max', 3000);
    await file.pause();
    await expect(file.job).toContainText('is paused');
    await expect(file.resumeButton).toBeVisible();
  });
  const paused = await devices(page);
  expect(paused.length).toBeLessThan(3000);
  await step('a new page waits too', async () => {
    await page.reload();
    await expect(file.resumeButton).toBeVisible();
    await expect(file.job).toContainText(`of 3,000 rows`);
  });
  expect(await devices(page)).toHaveLength(paused.length);
  await step('it goes on, and is stopped', async () => {
    await file.resume();
    await expect(file.pauseButton).toBeVisible();
    await file.askToStop();
    await expect(file.stopDialog).toContainText('are not imported');
  });
  await file.stop();
  await expect(file.job).toContainText('stopped');
  await file.another();
  await expect(file.columns).toHaveCount(0);
});

/** So that there is something to see of it. */
async function slowly(page: Page) {
  await page.route('**/api/resources', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await route.continue().catch(() => undefined);
  });
}

const manyRows = (count: number) =>
  ['name,type', ...Array.from({ length: count }, (_, row) => `Device ${row},pc`)].join('\n');

async function devices(page: Page) {
  return (await (await page.request.get('/api/resources')).json()) as Resource[];
}

test('GeoJSON goes both ways, through the same dry run', { tag: '@once' }, async ({ page, user, home, step }) => {
  const file = new ImportPage(page);
  await user.add({ name: 'Pier 4', machine_type: 'bug', position: { longitude: 9.99, latitude: 53.54 } });
  await file.open();
  await step('another text is none', async () => {
    await file.chooseText('{"type":"Topology"}', 'world.json');
    await expect(file.fault).toContainText('This is not a GeoJSON FeatureCollection');
  });
  const { name, text } = await file.saveGeoJson();
  expect(name).toBe('my devices.geojson');
  const saved = JSON.parse(text) as { features: { properties: { name: string } }[] };
  await step('what was saved is changed and comes back, and what is new is added', async () => {
    const [pier] = saved.features;
    pier!.properties.name = 'Pier 5';
    const added = {
      ...{ type: 'Feature', geometry: { type: 'Point', coordinates: [10, 54] } },
      properties: { name: 'Quay', machine_type: 'pc' },
    };
    const area = { ...added, geometry: { type: 'Polygon', coordinates: [] } };
    const features = [pier, added, area];
    await file.chooseText(JSON.stringify({ type: 'FeatureCollection', features }), 'devices.geojson');
    await expect(file.check).toContainText('1 new');
    await expect(file.check).toContainText(/1 (changed, to update|to update)/);
    await expect(file.check).toContainText('1 with errors');
    await expect(file.refused(4)).toContainText('“Polygon” is not a number of degrees');
    await file.start();
    await expect(file.job).toContainText('2 devices');
  });
  await step('both are there', async () => {
    await file.toDevices.click();
    await expect(home.row('Pier 5')).toBeVisible();
    await expect(home.row('Quay')).toBeVisible();
  });
});

test(
  'a file that is half mended waits while one looks at another page',
  { tag: '@once' },
  async ({ page, shell, step }) => {
    const file = new ImportPage(page);
    await file.open();
    await file.choose(messy);
    await file.openFix(3);
    await file.fixField('Name').fill('Named by hand');
    await file.saveFix();
    await expect(file.check).toContainText('12 new');
    await step('it is there again, with what was mended', async () => {
      await shell.goTo('Swarms');
      await page.goBack();
      await expect(file.check).toContainText('12 new');
      await expect(file.refused(3)).toHaveCount(0);
    });
    await step('a reload, which would lose it, is asked about', async () => {
      const asked = page.waitForEvent('dialog');
      const reloading = page.reload();
      const dialog = await asked;
      expect(dialog.type()).toBe('beforeunload');
      await dialog.accept();
      await reloading;
    });
  },
);
