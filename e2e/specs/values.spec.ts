import { expect, test } from '../fixtures.ts';
import { TouchPart } from '../pages/touch.part.ts';
import { ValuesPart } from '../pages/values.part.ts';

test('what a device says is drawn over time', { tag: '@once' }, async ({ page, user, device, swarm, step }) => {
  const values = new ValuesPart(page);
  const buoy = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await step('a device without a swarm says that it cannot send', async () => {
    await device.open(buoy.id);
    await expect(values.box).toContainText('This device is in no swarm yet, so it cannot send.');
  });

  const weather = await user.createSwarm({ name: 'Harbour weather', description: '' });
  await user.join(weather, { resource_id: buoy.id, resource_type: 'producer' });
  await step('each number has a line, and each state a band', async () => {
    await user.sendAs(buoy, { temperature: 20, battery: { volts: 3.8 }, door: 'open', list: [1] });
    await user.sendAs(buoy, { temperature: 21.5, battery: { volts: 3.7 }, door: 'shut' });
    await device.open(buoy.id);
    await expect(values.chart('temperature')).toHaveAttribute('aria-valuetext', /: 21\.5$/);
    await expect(values.chart('battery.volts')).toHaveAttribute('aria-valuetext', /: 3\.7$/);
    await expect(values.chart('door')).toHaveAttribute('aria-valuetext', /: shut$/);
    await expect(values.box).toContainText('20 to 21.5, on average 20.8');
  });
  await step('a new value appears by itself', async () => {
    await user.sendAs(buoy, { temperature: 23 });
    await expect(values.chart('temperature')).toHaveAttribute('aria-valuetext', /: 23$/);
  });
  await step('arrow keys read the values', async () => {
    await values.chart('temperature').press('ArrowLeft');
    await expect(values.chart('temperature')).toHaveAttribute('aria-valuetext', /: 21\.5$/);
    await values.chart('temperature').press('Home');
    await expect(values.chart('temperature')).toHaveAttribute('aria-valuetext', /: 20$/);
  });
  await step('keys and buttons zoom', async () => {
    await values.chart('temperature').press('+');
    await expect(values.wholeRange).toBeEnabled();
    await values.chart('temperature').press('0');
    await expect(values.wholeRange).toBeDisabled();
    for (let times = 0; times < 4; times++) await values.zoomIn();
    await expect(values.box).not.toContainText('No values in this time');
    await values.wholeRange.click();
  });
  await step('the same as a table', async () => {
    await values.showTable();
    await expect(values.newestRow).toContainText('23');
    await expect(values.table).toContainText('shut');
    await values.showTable();
  });
  await step('several numbers in one chart', async () => {
    await values.putTogether();
    await expect(values.chart('battery.volts, temperature')).toBeVisible();
    await values.line('battery.volts').click();
    await expect(values.chart('temperature')).toBeVisible();
    await values.putTogether();
  });
  await step('its owner has the values recorded', async () => {
    await expect(values.box).toContainText('Not recorded');
    await expect(values.range('1 year')).toBeHidden();
    await values.keep.check();
    await device.save();
    await expect(values.box).toContainText('Recorded since');
    await user.sendAs(buoy, { temperature: 23 });
    await values.choose('1 year');
    await expect(values.chart('temperature')).toHaveAttribute('aria-valuetext', /: 23$/);
    await values.choose('24 hours');
    const { text } = await values.export();
    expect(text).toContain('at,key,value');
  });
  await step('what is not recorded is named, and its owner chooses', async () => {
    await user.sendAs(buoy, Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`text${index}`, 'same'])));
    await expect(async () => {
      await device.open(buoy.id);
      await expect(values.box).toContainText('Not recorded: text8.', { timeout: 2000 });
    }).toPass();
    await values.chooseKeys({ add: 'text8', remove: 'text0' });
    await expect(values.box).toContainText('You have chosen what is recorded.');
  });
  await step('before recording ends, the values are a file', async () => {
    await values.keep.uncheck();
    await device.save();
    const { text } = await values.exportBeforeDeletion();
    expect(text).toContain('temperature');
    await device.saveAndDelete();
    await expect(values.box).toContainText('Not recorded');
  });
  await step('the same value of several devices of a swarm', async () => {
    const rain = await user.add({ name: 'Rain gauge 2', machine_type: 'pc' });
    await user.join(weather, { resource_id: rain.id, resource_type: 'producer' });
    await user.sendAs(rain, { temperature: 18 });
    await swarm.open(weather.id, '?tab=values&key=temperature');
    await expect(values.chart('Buoy 7, Rain gauge 2')).toBeVisible();
    await user.sendAs(rain, { temperature: 19 });
    await expect(values.line('Rain gauge 2 19')).toBeVisible();
  });
  await step('they are a file, with the names of the devices', async () => {
    const { text } = await values.export();
    expect(text).toContain('at,resource_id,name,key,value');
    expect(text).toMatch(/,Buoy 7,temperature,23,/);
    expect(text).toMatch(/,Rain gauge 2,temperature,19,/);
  });
  await step('a printed page has the chart, and not the navigation', async () => {
    await expect(values.navigation).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(values.chart('Buoy 7, Rain gauge 2')).toBeVisible();
    await expect(values.navigation).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
  });
});

test('charts are drawn when they are seen or printed; a drag zooms, and so do two fingers, and they stay when a phone is turned', async ({
  page,
  user,
  device,
  step,
}, { project }) => {
  const values = new ValuesPart(page);
  const buoy = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  const weather = await user.createSwarm({ name: 'Harbour weather', description: '' });
  await user.join(weather, { resource_id: buoy.id, resource_type: 'producer' });
  const keys = ['temperature', ...Array.from({ length: 7 }, (_, number) => `water.${number}`)];
  const last = keys.at(-1)!;
  await user.sendAs(buoy, Object.fromEntries(keys.map((key) => [key, 20])));
  await device.open(buoy.id);
  await step('a chart below the screen is drawn on paper, and when it is scrolled to', async () => {
    await values.scrollTo('temperature');
    await expect(values.chart(last)).toHaveAttribute('aria-valuetext', /: 20$/);
    await expect(values.drawing(last)).toHaveCount(0);
    await values.print('beforeprint');
    for (const key of keys) await expect(values.drawing(key)).toHaveCount(1);
    await values.print('afterprint');
    await expect(values.drawing(last)).toHaveCount(0);
    await values.scrollTo(last);
  });
  await step('a turned phone shows the same part of the page', async () => {
    if (project.name !== 'phone') return;
    const upright = page.viewportSize()!;
    // What keeps the place loads late.
    await expect(async () => {
      await page.setViewportSize(upright);
      await values.scrollTo(keys[1]!);
      for (const size of [{ width: upright.height, height: upright.width }, upright]) {
        await page.setViewportSize(size);
        await expect(values.plot(keys[1]!)).toBeInViewport({ timeout: 2000 });
      }
    }).toPass();
  });
  await step('a zoom', async () => {
    await values.scrollTo('temperature');
    if (project.name === 'phone')
      await new TouchPart(page).spread({ on: values.plot('temperature'), around: 0.4, from: 0.05, to: 0.15 });
    else await values.drag('temperature');
    await expect(values.wholeRange).toBeEnabled();
  });
});

test(
  'lists show a value of their devices, sort and filter by it',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, swarm, wall, step }) => {
    const values = new ValuesPart(page);
    const weather = await user.createSwarm({ name: 'Harbour weather', description: '' });
    let hottest = '';
    for (const [name, temperature] of [
      ['Buoy 7', 31],
      ['Rain gauge 2', 18],
    ] as const) {
      const position = { longitude: 9.9 + temperature / 100, latitude: 53.5 };
      const device = await user.add({ name, machine_type: 'bug', position, keep_values: 'sent_at' });
      await user.join(weather, { resource_id: device.id, resource_type: 'producer' });
      await user.sendAs(device, { temperature });
      if (name === 'Buoy 7') hottest = device.id;
    }
    await step('a value is chosen, and is in each row', async () => {
      await home.open();
      await values.show('temperature');
      await expect(home.row('Buoy 7')).toContainText('31');
      await expect(home.row('Rain gauge 2')).toContainText('18');
    });
    await step('the list is in the order of the value', async () => {
      await home.sortBy('Highest value');
      await expect.poll(() => home.names()).toEqual(['Buoy 7', 'Rain gauge 2']);
      await home.sortBy('Lowest value');
      await expect.poll(() => home.names()).toEqual(['Rain gauge 2', 'Buoy 7']);
    });
    await step('a filter leaves those above 30, and the map has a scale', async () => {
      await values.filter({ from: '30', colours: true });
      await expect(home.row('Rain gauge 2')).toBeHidden();
      await expect(home.row('Buoy 7')).toContainText('31');
      await expect(page).toHaveURL(/value_from=30/);
      await expect(page).toHaveURL(/colour=value/);
    });
    await step('the card has the last values', async () => {
      await home.open({ sel: hottest });
      await expect(values.lastOnCard).toContainText('temperature31');
    });
    await step('the table of the members has it as a column', async () => {
      await swarm.open(weather.id, '?tab=members');
      await values.show('temperature');
      await expect(swarm.member('Rain gauge 2')).toContainText('18');
      await swarm.sortMembersBy('Highest value');
      await expect(swarm.memberRows).toHaveText([/Buoy 7.*31/, /Rain gauge 2.*18/]);
      await values.filter({ from: '30', colours: true });
      await expect(swarm.member('Rain gauge 2')).toBeHidden();
      await expect(page).toHaveURL(/colour=value/);
    });
    await step('the list of the wall has it too', async () => {
      await wall.open({ swarm: weather.id, values: 'temperature', list: '1' });
      await expect(wall.listRows).toHaveText([/Buoy 7.*31/, /Rain gauge 2.*18/]);
      await wall.sortList('Lowest value');
      await expect(wall.listRows).toHaveText([/Rain gauge 2.*18/, /Buoy 7.*31/]);
    });
    await step('the wall is coloured by it, and says what its colours mean', async () => {
      await wall.open({ swarm: weather.id, values: 'temperature', colour: 'value' });
      await expect(wall.valueScale).toHaveText('temperature1831');
    });
  },
);
