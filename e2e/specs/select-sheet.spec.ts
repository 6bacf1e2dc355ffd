import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { DeviceSelectionPart } from '../pages/device-selection.part.ts';

test('on a touch screen, a menu entry starts the selection and taps select', async ({ page, user, home }) => {
  const selection = new DeviceSelectionPart(page);
  await user.addMany(
    Array.from({ length: 12 }, (_, number) => ({
      name: `Buoy ${String(number + 1).padStart(2, '0')}`,
      machine_type: 'bug' as const,
    })),
  );
  await home.open();
  await expect(home.row('Buoy 01')).toBeVisible();
  await expect(selection.checkbox('Buoy 01')).toBeHidden();
  await selection.choose('Select devices');
  await expect(selection.count).toHaveText('0 selected');
  await home.select('Buoy 01');
  await home.select('Buoy 02');
  await expect(selection.count).toHaveText('2 selected');
  await expect(home.card).toBeHidden();
  await expectAccessible({ page, title: 'selected devices' });
  await home.select('Buoy 01');
  await expect(selection.count).toHaveText('1 selected');
  await selection.selectAll();
  await expect(selection.count).toHaveText('12 selected');
  await selection.clear();
  await expect(selection.bar).toBeHidden();
  await home.select('Buoy 01');
  await expect(home.card).toContainText('Buoy 01');
});
