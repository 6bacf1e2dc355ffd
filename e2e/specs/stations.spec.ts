import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';

const stations = join(import.meta.dirname, '../data/stations.csv');

test(
  '8,995 stations are imported into an open page, map and list stay in step, and a device moves one station',
  { tag: '@long' },
  async ({ page, server, user, home, device, step }) => {
    await home.open();
    await expect(home.firstRun).toBeVisible();
    const { code, output } = await server.command('import', '--user', user.name, stations);
    expect(code).toBe(2);
    expect(output).toMatch(/\b778\b/);
    await page.reload();
    await expect(home.count).toHaveText(/^8,995\b/);
    await expect(home.map).toBeVisible();

    await step('a click on a marker shows its row, and J and K continue from there', async () => {
      await home.open({ map: '13/-25.65444/28.22083' });
      await expect(home.rows.first()).toBeVisible();
      // symbols are drawn on a canvas, and nothing in the DOM says when
      await expect(async () => {
        await home.clickMiddleOfMap();
        await expect(home.card).toContainText('Wonderboom Airport', { timeout: 2000 });
      }).toPass();
      await expect(home.row('Wonderboom Airport')).toBeInViewport();
      const position = await home.selectedPosition();
      expect(position).toBeGreaterThan(8000);
      await page.keyboard.press('j');
      await expect.poll(() => home.selectedPosition()).toBe(position + 1);
      await page.keyboard.press('k');
      await page.keyboard.press('k');
      await expect.poll(() => home.selectedPosition()).toBe(position - 1);
    });
    await step('Back from a device returns to the selected row, at the same scroll position', async () => {
      const [position, scrolled] = [await home.selectedPosition(), await home.scrolled()];
      await home.openSelected();
      await expect(device.form.name).toBeVisible();
      await page.goBack();
      await expect.poll(() => home.selectedPosition()).toBe(position);
      await expect.poll(() => home.scrolled()).toBe(scrolled);
    });
    await step('a reload starts around the selected device, and the list still scrolls to its first row', async () => {
      await page.reload();
      await expect.poll(() => home.selectedPosition()).toBeGreaterThan(8000);
      await home.scrollTo(0);
      await expect(home.rowAt(1)).toBeInViewport();
      await home.closeCard();
    });

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
  },
);
