import { join } from 'node:path';
import type { Resource } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { readActions } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { ImportPage } from '../pages/import.page.ts';
import { StartPage } from '../pages/start.page.ts';

const data = join(import.meta.dirname, '../data');
const messy = join(data, 'messy.csv');

test(
  'each invalid row of a messy file shows its reason, and one is corrected on the page',
  { tag: '@once' },
  async ({ page, home, step }) => {
    const file = new ImportPage(page);
    await step('Start links to the import', async () => {
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
      await expect(file.refused(3)).toContainText('Name empty; a name is required');
      await expect(file.refused(5)).toContainText('Machine type “toaster” is not PC, Bug or Smartphone');
      await expect(file.job).toContainText('11 devices will be added');
    });
    await step('a row is edited on the page and still shows its other error', async () => {
      await file.openFix(3);
      await expect(file.fixField('Name')).toHaveAttribute('aria-invalid', 'true');
      await file.fixField('Lat').fill('91');
      await file.fixField('Name').fill('Named by hand');
      await file.saveFix();
      await expect(file.fixField('Lat')).toBeFocused();
    });
    await step('the corrected row is valid', async () => {
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
    await step('the valid rows become devices', async () => {
      await file.start();
      await expect(file.job).toContainText('12 rows were imported');
      await file.openFix(5);
      await expect(file.fixField('Machine Type')).not.toBeEditable();
      await page.keyboard.press('Escape');
    });
    await step('they are in the list', async () => {
      await file.showDevices.click();
      await expect(home.count).toHaveText(/^12\b/);
      await expect(home.row('Named by hand')).toBeVisible();
    });
    await step('importing the same file again says so', async () => {
      await file.open();
      await expect(file.job).toContainText('12 rows were imported');
      await file.choose(messy);
      await expect(file.job).toContainText('Importing it again creates duplicates');
    });
    await step('a visit an hour later begins without the last result', async () => {
      await file.start();
      await expect(file.job).toContainText('11 rows were imported');
      await page.route('**/api/actions', async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        const earlier = (at: string) => new Date(Date.parse(at) - 3_600_000).toISOString();
        const body = text.replace(/(?<="ended_at":")[^"]+/g, earlier);
        await route.fulfill({ response, body });
      });
      await page.reload();
      await expect(file.chooseButton).toBeVisible();
      await expect(file.job).toBeHidden();
    });
  },
);

test(
  'a file of a German spreadsheet: its encoding, its O, the ids and the machine types of another program',
  { tag: ['@long', '@once'] },
  async ({ page, step }) => {
    const file = new ImportPage(page);
    await file.open();
    const rows = ['ID;Gerätename;Maschinenart;Breitengrad;Längengrad', '1;Pumpe Süd;Pumpe;47°22\'36,8"N;8°32\'57,1"O'];
    const text = [...rows, "2;Wehr Nord;Wehr;53° 33' N;9° 59' O", '3;Pumpe Ost;pumpe;47,1;8,5'].join('\n');
    await file.choose({ name: 'aus.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });
    await step('the page says how the file is read', async () => {
      await expect(file.facts).toContainText('Windows-1252 (Western Europe), semicolon');
      await expect(file.use('Gerätename')).toHaveValue('name');
    });
    await step('after a column is mapped, the foreign ids are left out and named', async () => {
      await file.use('Maschinenart').selectOption('machine_type');
      await expect(file.columns).toContainText('“ID” has no IDs of this server');
      await expect(file.check).toContainText('0 new');
      await expect(file.letterO).toHaveValue('east');
      await expect(file.refused(2)).not.toContainText('Longitude');
    });
    await step('one choice for all rows of a machine type', async () => {
      await file.machineType('Pumpe').focus();
      await file.machineType('Pumpe').selectOption('bug');
      await expect(file.check).toContainText('2 new');
      await expect(file.machineType('Pumpe')).toBeFocused();
      await file.machineType('Wehr').selectOption('pc');
      await expect(file.check).toContainText('3 new');
    });
    await step('another encoding can be chosen', async () => {
      await file.encoding.selectOption('utf-8');
      await expect(file.check).toContainText('Choose a column for');
      await file.encoding.selectOption('windows-1252');
      await expect(file.check).toContainText('3 new');
    });
    await file.start();
    await expect(file.job).toContainText('3 rows were imported');
  },
);

test(
  'a row with a wrong quotation mark keeps its text and is among the rest; new devices are shown, with those whose position may be wrong',
  { tag: ['@long', '@once'] },
  async ({ page, step }) => {
    const file = new ImportPage(page);
    await file.open();
    const line = 'ST-0015;=HYPERLINK("http://evil.example";"x");48,1;11,2';
    await file.chooseText(
      ['name;type;lat;lon', 'Pier;pc;48,1;11,2', '150;pc;;', 'Zero;bug;0;0', line, 'Out;pc;148,12;11'].join('\n'),
    );
    await step('the first new devices are shown', async () => {
      await expect(file.newDevices).toHaveText([
        'line 2Pier48.100000, 11.200000',
        'line 3150no position',
        'line 4Zero0.000000, 0.000000',
      ]);
      await expect(file.check).toContainText('1 new device has no position: 150.');
      await expect(file.check).toContainText('1 new device is at 0, 0, in the sea off Africa: Zero.');
      await expect(file.refused(6)).toContainText('“148,12” is outside −90 to 90');
    });
    await step('what was in the line is shown where it is corrected, and downloaded', async () => {
      await file.openFix(5);
      await expect(file.fixDialog).toContainText(line);
      await expect(file.fixField('name')).toHaveValue('ST-0015');
      await expect(file.fixField('Field 5')).toHaveValue('11,2');
      await page.keyboard.press('Escape');
      expect((await file.saveErrorRows()).text).toContain('ST-0015;"=HYPERLINK(""http://evil.example');
    });
    await step('after the import, it is corrected with the rest', async () => {
      await file.start();
      await expect(file.job).toContainText('3 rows were imported');
      await expect(file.fixRest).toHaveText('Fix the 2 rows that are left');
      await file.fixRest.click();
      await file.fixRow(5, { type: 'pc', lat: '48,1', lon: '11,2', 'Field 5': '' });
      await expect(file.check).toContainText('1 new');
    });
  },
);

test('unrecognised columns are assigned by the user', { tag: ['@long', '@once'] }, async ({ page, step }) => {
  const file = new ImportPage(page);
  await file.open();
  await step('an unsupported file is rejected with a message', async () => {
    await file.choose({ name: 'devices.xlsx', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004\0\0') });
    await expect(file.error).toContainText('This is not a text file.');
    await file.choose({
      name: 'walk.gpx',
      mimeType: 'application/gpx+xml',
      buffer: Buffer.from('<?xml version="1.0"?><gpx/>'),
    });
    await expect(file.error).toContainText('Convert the file to CSV or GeoJSON.');
  });
  await step('a required column must be chosen', async () => {
    await file.drop('what,sort,serial\nPier 4 anemometer,bug,A-20931\n');
    await expect(file.check).toContainText('Choose a column for Name and Machine type');
    await expect(file.startButton).toBeDisabled();
  });
  await step('the dry run follows each choice', async () => {
    await file.use('what').selectOption('Name');
    await file.use('serial').selectOption('Machine type');
    await expect(file.refused(2)).toContainText('“A-20931” is not PC');
    await file.use('sort').selectOption('Machine type');
    await expect(file.use('serial')).toHaveValue('skip');
    await expect(file.check).toContainText('1 new');
    await expect(file.startButton).toHaveText('Import 1 device');
  });
  await step('without a column of machine types, one is chosen for all rows, by keys', async () => {
    await file.drop('name,temperature\nRoof,21\nCellar,12\n');
    await expect(file.check).toContainText('If no column has the machine type, choose one for all rows.');
    await file.typeOfAll.focus();
    await page.keyboard.press('b');
    await expect(file.check).toContainText('2 new');
    await expect(file.typeOfAll).toBeFocused();
  });
  await step('a column of other values is one choice too', async () => {
    await file.use('temperature').selectOption('Machine type');
    await expect(file.typeOfOthers).toHaveValue('bug');
    await expect(file.check).toContainText('2 new');
    await file.machineType('12').selectOption('pc');
    await file.start();
    await expect(file.job).toContainText('2 rows were imported');
    const types = (await devices(page)).map(({ name, machine_type }) => `${name}: ${machine_type}`);
    expect(types.toSorted()).toEqual(['Cellar: pc', 'Roof: bug']);
  });
});

test(
  'lines above the column names are found and named, and so are devices that exist already',
  { tag: ['@long', '@once'] },
  async ({ page, user, step }) => {
    const file = new ImportPage(page);
    await user.addMany([
      { name: 'Pier', machine_type: 'bug' },
      { name: 'Quay', machine_type: 'bug' },
    ]);
    await file.open();
    await file.chooseText(
      'Export of 3.11.2026;;\nAll stations;;\n\nname;type\nPier;bug\nQuay;toaster\nDock;pc',
      'stations.csv',
    );
    await step('the lines above are named', async () => {
      await expect(file.columns).toContainText('2 lines above the column names are not imported');
      await expect(file.columns).toContainText('“Export of 3.11.2026”');
      await expect(file.refused(6)).toContainText('toaster');
    });
    await step('devices with the same names are named before the import, and left out', async () => {
      await expect(file.check).toContainText('2 new');
      await expect(file.check).toContainText(
        '1 row has the name of a device that you already have, or of a row above: Pier.',
      );
      await file.leaveOut();
      await expect(file.check).toContainText(
        '1 row is left out because a device that you already have, or a row above, has its name.',
      );
      await expect(file.job).toContainText('1 device will be added');
    });
    await step('another line can have the column names', async () => {
      await file.header.selectOption({ index: 0 });
      await expect(file.check).toContainText('Choose a column for');
    });
  },
);

test(
  'devices are exported, edited in the file and imported: each row updates the device that it names',
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
    await step('the summary counts only new and changed rows', async () => {
      await file.chooseText(`${changed},Buoy 4,pc,,,\r\n00000000-0000-0000-0000-000000000000,Nobody’s,pc,,,\r\n`, name);
      await expect(file.use('id')).toHaveValue('id');
      await expect(file.check).toContainText('1 new');
      await expect(file.check).toContainText('2 to update');
      await expect(file.check).toContainText('1 unchanged');
      await expect(file.check).toContainText('is not one of your devices');
      await expect(file.job).toContainText('2 of your devices will be changed.');
    });
    await step('they are imported', async () => {
      await file.start();
      await expect(file.job).toContainText('3 rows were imported');
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

test(
  'a paused import adds nothing more, and a stopped import keeps what it added',
  { tag: ['@long', '@once', '@sources'] },
  async ({ page, server, step }) => {
    const file = new ImportPage(page);
    const isHeld = await server.holdActionsAt('Device 700"');
    await file.open();
    // more rows than the server imports in one turn: some before, and some after the turn that is held
    await file.chooseText(manyRows(1500));
    await step('paused', async () => {
      await expect(file.heading).toBeFocused();
      await file.start();
      await expect(file.progress).toHaveJSProperty('max', 1500);
      await isHeld();
      await file.pause();
      await expect(file.job).toContainText('paused');
      await expect(file.resumeButton).toBeVisible();
    });
    // the rows that were being imported still are
    await server.holdActionsAt();
    await expect.poll(() => rowsDone(page)).toBeGreaterThan(700);
    const paused = await devices(page);
    expect(paused).toHaveLength(await rowsDone(page));
    expect(paused.length).toBeLessThan(1500);
    await step('it stays paused when the page is loaded again', async () => {
      await page.reload();
      await expect(file.resumeButton).toBeVisible();
      await expect(file.job).toContainText(`of 1,500 rows`);
    });
    await expect(devices(page)).resolves.toHaveLength(paused.length);
    await step('it is stopped', async () => {
      await file.askToStop();
      await expect(file.stopDialog).toContainText('are not imported');
      await file.stop();
      await expect(file.job).toContainText('stopped');
    });
    await expect(devices(page)).resolves.toHaveLength(paused.length);
    await expect(file.chooseButton).toBeVisible();
  },
);

test(
  'while rows are uploaded, the page asks to keep the tab open, and nothing is imported if the upload is stopped',
  { tag: ['@long', '@once'] },
  async ({ page, step }) => {
    const file = new ImportPage(page);
    const held = Promise.withResolvers<void>();
    await page.route('**/parts/2', async (route) => {
      await held.promise;
      await route.abort().catch(() => undefined);
    });
    await file.open();
    await file.chooseText(manyRows(2000));
    await step('two of four parts are uploaded', async () => {
      await file.start();
      await expect(file.job).toContainText('Uploading devices.csv');
      await expect(file.job).toContainText('1,000 of 2,000 rows');
      await expect(file.job).toContainText('Keep this tab open');
    });
    await step('the upload is stopped', async () => {
      await file.askToStop();
      await file.stop();
      await expect(file.startButton).toHaveText('Import 2,000 devices');
    });
    held.resolve();
    await expect(devices(page)).resolves.toEqual([]);
  },
);

test('a wrong import is undone from its result', { tag: '@once' }, async ({ page, user, step }) => {
  const file = new ImportPage(page);
  const [buoy] = await user.addMany([{ name: 'Buoy 1', machine_type: 'bug' }]);
  await file.open();
  await file.chooseText(`id,name,type\n${buoy!.id},Fairway buoy,pc\n,Quay,pc\n`);
  await file.start();
  await expect(file.job).toContainText('2 rows were imported');
  await step('the dialog says what comes back', async () => {
    await file.undo();
    await expect(file.undoDialog).toContainText('Devices that the import added are deleted.');
  });
  await file.confirmUndo();
  await expect(file.job).toContainText('This import was undone');
  await expect
    .poll(async () => (await devices(page)).map(({ name, machine_type }) => [name, machine_type]))
    .toEqual([['Buoy 1', 'bug']]);
});

const manyRows = (count: number) =>
  ['name,type', ...Array.from({ length: count }, (_, row) => `Device ${row},pc`)].join('\n');

const rowsDone = async (page: Page) => (await readActions(page.request))[0]!.done;

async function devices(page: Page) {
  return (await (await page.request.get('/api/resources')).json()) as Resource[];
}

test(
  'GeoJSON is exported and imported through the same dry run',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, shell, step }) => {
    const file = new ImportPage(page);
    await user.add({ name: 'Pier 4', machine_type: 'bug', position: { longitude: 9.99, latitude: 53.54 } });
    await file.open();
    await step('other JSON is rejected', async () => {
      await file.chooseText('{"type":"Topology"}', 'world.json');
      await expect(file.error).toContainText('This is not a GeoJSON FeatureCollection');
    });
    const { name, text } = await file.saveGeoJson();
    expect(name).toBe('my devices.geojson');
    const saved = JSON.parse(text) as { features: { properties: { name: string } }[] };
    await step('the exported file updates its devices, and a new feature adds one', async () => {
      const [pier] = saved.features;
      pier!.properties.name = 'Pier 5';
      const added = {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [10, 54] },
        properties: { name: 'Quay', machine_type: 'pc' },
      };
      const area = {
        ...added,
        geometry: { type: 'Polygon', coordinates: [] },
        properties: { name: 'Basin', machine_type: 'pc' },
      };
      const features = [pier, added, area];
      await file.chooseText(JSON.stringify({ type: 'FeatureCollection', features }), 'devices.geojson');
      await expect(file.check).toContainText('1 new');
      await expect(file.check).toContainText('1 to update');
      await expect(file.check).toContainText('1 with errors');
      await expect(file.refused(3, 'feature')).toContainText('the geometry is a Polygon; only points can be imported');
      await file.start();
      await expect(file.job).toContainText('2 rows were imported');
    });
    await test.step('the row that is left can be corrected and imported', async () => {
      await file.fixRest.click();
      await expect(file.check).toContainText('1 with errors');
      await file.fixRow(3, { longitude: '8', latitude: '54' }, 'feature');
      await file.start();
      await expect(file.job).toContainText('1 row was imported');
    });
    await step('all are on the map', async () => {
      await shell.goTo('Devices');
      await expect(home.row('Pier 5')).toBeVisible();
      await expect(home.row('Quay')).toBeVisible();
    });
  },
);
