import type { Track } from '@swarmdeck/bff/contract';
import { expect, test } from '../fixtures.ts';
import { ActivityPage } from '../pages/activity.page.ts';
import { ImportPage } from '../pages/import.page.ts';
import { ValuesPart } from '../pages/values.part.ts';

test(
  'what was recorded of a device is deleted only after a question that names it',
  { tag: '@once' },
  async ({ page, user, device, shell, step }) => {
    const [activity, file, values] = [new ActivityPage(page), new ImportPage(page), new ValuesPart(page)];
    const position = { longitude: 8.1, latitude: 54.2 };
    const buoy = await user.add({ name: 'Buoy 7', machine_type: 'bug', position, keep_track: true });
    const points = async () =>
      ((await (await page.request.get(`/api/resources/${buoy.id}/track`)).json()) as Track).points.length;
    const aboutTrack = 'The track: 1 position since';
    await step('switching the track off asks, and Cancel leaves all as it was', async () => {
      await device.open(buoy.id);
      await device.form.keepTrack.uncheck();
      await device.save();
      await expect(device.deleteRecords).toContainText(aboutTrack);
      await page.keyboard.press('Escape');
      await expect(device.changedFields).toBeVisible();
      await expect.poll(points).toBe(1);
    });
    await step('to save while leaving names it too', async () => {
      await shell.destination('Swarms').click();
      await expect(device.leaveDialog).toContainText(aboutTrack);
      await page.keyboard.press('Escape');
    });
    await step('the answer deletes it', async () => {
      await device.save();
      await device.saveAndDelete();
      await expect(device.changedFields).toBeHidden();
      await expect.poll(points).toBe(0);
    });
    await step('the undo of a change that has begun to record names it', async () => {
      await device.form.keepTrack.check();
      await values.keep.check();
      await device.save();
      await activity.change('Changed track and recording of values').undo();
      await expect(activity.undoDialog).toContainText(aboutTrack);
      await expect(activity.undoDialog).toContainText('The values recorded since');
      await page.keyboard.press('Escape');
      await expect.poll(points).toBe(1);
    });
    await step('an import that ends a recording asks', async () => {
      await file.open();
      await file.chooseText(`id,name,machine_type,keep_track,keep_values\n${buoy.id},Buoy 7,bug,false,sent_at\n`);
      await file.start();
      await expect(file.deleteRecords).toContainText('The track of 1 device');
      await expect(file.deleteRecords).not.toContainText('recorded values');
      await page.keyboard.press('Escape');
      await expect(file.deleteRecords).toHaveCount(0);
      await expect.poll(points).toBe(1);
      await file.start();
      await file.startAndDelete();
      await expect.poll(points).toBe(0);
    });
  },
);
