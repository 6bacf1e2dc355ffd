import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { ImportPage } from '../pages/import.page.ts';
import { PalettePart } from '../pages/palette.part.ts';

const position = { longitude: 9.9, latitude: 53.5 };

test(
  'selected devices are exported, and importing the file changes nothing',
  { tag: '@once' },
  async ({ page, user, home, step }) => {
    const bulk = new BulkPart(page);
    await user.addMany([
      { name: '=HYPERLINK("https://evil.example")', machine_type: 'pc' },
      { name: 'Buoy, "7"', machine_type: 'bug', description: '-1\nsecond line', position },
      { name: 'Lighthouse', machine_type: 'smartphone' },
    ]);
    await home.open();
    await bulk.selectRows('Buoy, "7"', '=HYPERLINK("https://evil.example")');
    await bulk.start('Export…');
    await expectAccessible({ page, title: 'export' });
    const file = await bulk.download('Export 2 devices');
    await step('no name runs as a formula', async () => {
      expect(file.name).toBe('devices.csv');
      expect(file.text).toContain(`,"'=HYPERLINK(""https://evil.example"")",pc,`);
      expect(file.text).not.toContain('Lighthouse');
    });
    await step('the import finds the same devices', async () => {
      const importPage = new ImportPage(page);
      await importPage.open();
      await importPage.chooseText(file.text);
      await expect(importPage.check).toContainText('2 unchanged');
      await expect(importPage.check).toContainText('0 new');
    });
  },
);

test(
  'the list is exported as it is filtered, from its menu and the palette',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    const bulk = new BulkPart(page);
    await user.addMany([
      { name: 'Buoy 1', machine_type: 'bug', position },
      { name: 'Buoy 2', machine_type: 'bug' },
      { name: 'Hub', machine_type: 'pc' },
    ]);
    await home.open();
    await home.toggle('Bug');
    await expect(home.row('Hub')).toBeHidden();
    await step('from the menu, as GeoJSON', async () => {
      await bulk.selection.choose('Export devices…');
      await bulk.choose('GeoJSON');
      const { name, text } = await bulk.download('Export 2 devices');
      expect(name).toBe('devices.geojson');
      const { features } = JSON.parse(text) as { features: { properties: { name: string }; geometry: unknown }[] };
      expect(features.map(({ properties }) => properties.name).toSorted()).toEqual(['Buoy 1', 'Buoy 2']);
      expect(features.filter(({ geometry }) => geometry !== null)).toHaveLength(1);
    });
    const palette = new PalettePart(page);
    const exportByPalette = async () => {
      await palette.open();
      await palette.type('export');
      await palette.choose('Export devices');
    };
    await step('from the palette', async () => {
      await exportByPalette();
      const { text } = await bulk.download('Export 2 devices');
      expect(text.split('\r\n')).toHaveLength(4);
    });
    await step('from the palette of another page, before the list was loaded', async () => {
      // only own devices are exported, so they are shown
      await home.open();
      await home.seesAll.click();
      await expect(home.seesAll).toHaveAttribute('aria-pressed', 'true');
      await page.goto('/swarms');
      await exportByPalette();
      await expect(home.seesAll).toHaveAttribute('aria-pressed', 'false');
      const { text } = await bulk.download('Export 3 devices');
      expect(text.split('\r\n')).toHaveLength(5);
    });
  },
);
