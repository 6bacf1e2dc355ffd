import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';

const stations = join(import.meta.dirname, '../data/stations.csv');

test('8,995 stations are imported while the page is open, and a device moves one', async ({
  page,
  server,
  user,
  home,
  device,
}) => {
  await home.open();
  await expect(home.firstRun).toBeVisible();
  const { code, output } = await server.command('import', '--user', user.name, stations);
  expect(code).toBe(2);
  expect(output).toMatch(/\b778\b/);
  await page.reload();
  await expect(home.count).toHaveText(/^8,995\b/);
  await expect(home.map).toBeVisible();

  await home.search('EDDH');
  await expect(home.row('Hamburg Airport')).toBeVisible();
  await home.select('Hamburg Airport');
  const id = new URL(page.url()).searchParams.get('sel');
  const key = await user.createKey('a program');
  const position = '{"position":{"longitude":-0.1,"latitude":51.5}}';
  const url = `${server.origin}/service/resources/${id}`;
  const headers = { 'x-serviceapikey': key, 'content-type': 'application/json' };
  expect((await fetch(url, { method: 'PUT', headers, body: position })).ok).toBe(true);
  await page.reload();
  await expect(home.card).toContainText('51.500000, -0.100000');
  await home.openSelected();
  await expect(device.form.latitude).toHaveValue(/^51\.50*$/);
});
