import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '../fixtures.ts';

const shell = promisify(execFile);
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
  const key = await user.createKey('curl');
  const position = '{"position":{"longitude":-0.1,"latitude":51.5}}';
  const url = `${server.origin}/service/resources/${id}`;
  const headers = ['-H', `x-serviceapikey: ${key}`, '-H', 'content-type: application/json'];
  await shell('curl', ['-sf', '-X', 'PUT', ...headers, '-d', position, url]);
  await page.reload();
  await expect(home.card).toContainText('51.500000, -0.100000');
  await home.openSelected();
  await expect(device.form.latitude).toHaveValue(/^51\.50*$/);
});
