import { runPending } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { harbourFleet } from '../fleet.ts';
import { failInside, failUntilClick } from '../intercept-requests.ts';
import { PalettePart } from '../pages/palette.part.ts';
import { ViewsPart } from '../pages/views.part.ts';
import { expectTextSurvivesTurning } from '../turn.ts';

test('a view is saved, opened, renamed and replaced', { tag: '@once' }, async ({ page, user, home, step }) => {
  const views = new ViewsPart(page);
  await user.addMany(harbourFleet());
  await home.open({ map: '6/54/10' });
  await expect(home.rows.first()).toBeVisible();
  const all = await home.count.textContent();

  await step('there is none yet', async () => {
    await views.open();
    await expect(views.box).toContainText('No saved views yet');
    await page.keyboard.press('Escape');
    await expect(views.box).toBeHidden();
    await expect(views.button).toBeFocused();
  });
  await step('its default name is made from the filters', async () => {
    await home.toggle('Bug');
    await home.search('sensor');
    await expect(page).toHaveURL(/q=sensor/);
    await views.startSaving();
    await expect(views.name).toHaveValue('Bugs · sensor');
    await expect(views.form).toContainText('Bugs · “sensor”');
    await views.name.fill(' ');
    await views.confirm();
    await expect(views.form).toContainText('Enter a name.');
    await views.name.fill('Sensors');
    await views.confirm();
    await expect(views.form).toBeHidden();
    await expect(views.notice('View saved')).toBeVisible();
    await expect(views.button).toBeFocused();
  });
  const found = (await home.count.textContent()) ?? '';
  await step('it is listed on another day, in another place', async () => {
    await page.goto('/?map=3/0/100');
    await expect(home.count).toHaveText(all ?? '');
    await views.open();
    await expect(views.row('Sensors')).toContainText('Bugs · “sensor”');
    await expect(views.link(/^Sensors.*current/)).toHaveCount(0);
  });
  await step('opened, it restores the list and the map', async () => {
    await views.link(/^Sensors/).click();
    await expect(views.box).toBeHidden();
    await expect(home.count).toHaveText(found);
    await expect(page).toHaveURL(/map=6(%2F|\/)5[34]\.?\d*(%2F|\/)(9\.9|10)/);
    await views.open();
    await expect(views.link(/^Sensors.*current/)).toBeVisible();
  });
  await step('it is renamed', async () => {
    await views.act('Sensors', 'Rename…');
    await expect(views.name).toHaveValue('Sensors');
    await views.name.fill('Bugs only');
    await expectTextSurvivesTurning(page, views.name);
    await views.confirm();
    await expect(views.form).toBeHidden();
    await views.open();
    await expect(views.row('Bugs only')).toContainText('Bugs · “sensor”');
    await page.keyboard.press('Escape');
  });
  await step('it is replaced by the current view, and the replacement is undone', async () => {
    await home.toggle('Bug');
    await expect(page).not.toHaveURL(/machine_type/);
    await views.open();
    await views.act('Bugs only', 'Update to current view');
    await expect(views.notice('View updated')).toBeVisible();
    await expect(views.row('Bugs only')).not.toContainText('Bugs ·');
    await page.keyboard.press('Escape');
    await expect(views.box).toBeHidden();
    await views.takeBackUpdate();
    await views.open();
    await expect(views.row('Bugs only')).toContainText('Bugs · “sensor”');
    await page.keyboard.press('Escape');
  });
  await step('saving under an existing name offers to replace that view', async () => {
    await views.startSaving();
    await views.name.fill('BUGS only');
    await views.confirm();
    await expect(views.form).toContainText('You already have a view with this name.');
    await views.replace();
    await expect(views.form).toBeHidden();
    await views.open();
    await expect(views.rows).toHaveCount(1);
    await expect(views.row('BUGS only')).not.toContainText('Bugs ·');
  });
});

test(
  'a wall can be saved as a view, and views switch between wall and list',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    const views = new ViewsPart(page);
    const [first] = await user.addMany(harbourFleet().slice(0, 12));
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
    await user.join(swarm, { resource_id: first!.id, resource_type: 'producer' });
    await user.saveView({ name: 'My bugs', url: '/?machine_type=bug&map=6/54/10' });
    const wall = `/swarms/${swarm.id}/map`;

    await step('it is saved with its layers and its colours', async () => {
      await page.goto(`${wall}?resource_type=producer,both&colour=heard&map=6/54/10`);
      await views.startSaving();
      await expect(views.name).toHaveValue('Wall · Harbour weather · sends · both · By last heard');
      await views.name.fill('Night shift');
      await views.confirm();
      await expect(views.form).toBeHidden();
    });
    await step('another position of the same wall is one click away', async () => {
      await page.goto(`${wall}?map=3/0/100`);
      await views.open();
      await expect(views.link(/^Night shift/)).toBeVisible();
      await expect(views.link(/^Night shift.*current/)).toHaveCount(0);
      await views.link(/^Night shift/).click();
      await expect(page).toHaveURL(/resource_type=producer%2Cboth.*colour=heard/);
      await expect(page).toHaveURL(/map=6(%2F|\/)5[345]/);
    });
    await step('the list is one click away, too', async () => {
      await views.open();
      await views.link(/^My bugs/).click();
      await expect(page).toHaveURL(/\/\?machine_type=bug/);
      await expect(home.rows.first()).toBeVisible();
      await views.open();
      await expect(views.row('Night shift')).toContainText('Wall · Harbour weather');
    });
  },
);

test(
  'deleting is pending, and is undone in its row',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    const views = new ViewsPart(page);
    await user.addMany(harbourFleet().slice(0, 3));
    await user.saveView({ name: 'Harbour', url: '/?q=harbour' });
    await user.saveView({ name: 'Depot', url: '/?q=depot' });
    await home.open();
    await expect(home.rows.first()).toBeVisible();
    await views.open();
    await step('its row says so', async () => {
      await views.act('Depot', 'Delete');
      await expect(views.row('Depot')).toContainText('Deleting…');
      await views.undo('Depot');
      await expect(views.link(/^Depot/)).toBeVisible();
    });
    await step('then it is deleted in every tab', async () => {
      await views.act('Depot', 'Delete');
      await expect(views.row('Depot')).toContainText('Deleting…');
      await page.reload();
      await views.open();
      await expect(views.row('Depot')).toContainText('Deleting…');
      await runPending(page.request);
      await expect(views.rows).toHaveCount(1);
      await expect(views.row('Harbour')).toBeVisible();
    });
  },
);

test(
  'a copied link shows other users the same filters over their own devices',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, enter, context }) => {
    const views = new ViewsPart(page);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await user.addMany(harbourFleet().slice(0, 3));
    await user.saveView({ name: 'Harbour', url: '/?q=harbour&map=6/54/10' });
    await home.open();
    await expect(home.rows.first()).toBeVisible();
    await views.open();
    await views.act('Harbour', 'Copy link');
    await expect(views.notice(/^Link copied/)).toBeAttached();
    const link = await views.copied();

    const other = await enter();
    await other.add({ name: 'Harbour of somebody else', machine_type: 'pc' });
    await other.add({ name: 'Crane', machine_type: 'pc' });
    await other.page.goto(link);
    await expect(other.home.row('Harbour of somebody else')).toBeVisible();
    await expect(other.home.rows).toHaveCount(1);
    await expect(other.page).toHaveURL(/map=6/);
    const theirs = new ViewsPart(other.page);
    await theirs.open();
    await expect(theirs.box).toContainText('No saved views yet');
  },
);

test(
  'an unreachable server is shown, and Retry loads the views',
  { tag: '@once' },
  async ({ page, user, home, step }) => {
    const views = new ViewsPart(page);
    await user.addMany(harbourFleet().slice(0, 3));
    await user.saveView({ name: 'Harbour', url: '/?q=harbour' });
    await home.open();
    await expect(home.rows.first()).toBeVisible();
    await expect(views.button).toBeVisible();
    const absence = await failUntilClick({ page, path: '**/api/saved-views', fail: failInside });
    await step('the list', async () => {
      await views.open();
      await expect(views.box).toContainText('Your views could not be loaded');
      await expect(views.saveButton).toBeDisabled();
    });
    await step('it comes with Retry', async () => {
      await absence.endBy(() => views.retry());
      await expect(views.row('Harbour')).toBeVisible();
    });
    await page.unrouteAll({ behavior: 'wait' });
    await step('a view that cannot be saved keeps the typed name', async () => {
      await page.route('**/api/saved-views', (route) =>
        route.request().method() === 'POST' ? failInside(route) : route.continue(),
      );
      await views.saveButton.click();
      await views.name.fill('Kept');
      await views.confirm();
      await expect(views.form).toContainText('Your input is still here.');
      await expect(views.name).toHaveValue('Kept');
      await page.unrouteAll({ behavior: 'wait' });
      // by keyboard: a second click so soon does not count
      await views.name.press('Enter');
      await expect(views.form).toBeHidden();
    });
  },
);

test(
  'arrow keys move through the list, and the palette finds a view by its name',
  { tag: '@once' },
  async ({ page, user, home }) => {
    const views = new ViewsPart(page);
    const palette = new PalettePart(page);
    await user.addMany(harbourFleet().slice(0, 3));
    for (const name of ['Alpha', 'Beta', 'Gamma']) await user.saveView({ name, url: `/?q=${name}` });
    await home.open();
    await expect(home.rows.first()).toBeVisible();
    await views.button.focus();
    await page.keyboard.press('Enter');
    await expect(views.link(/^Alpha/)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(views.link(/^Gamma/)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(views.saveButton).toBeFocused();
    if (test.info().project.name === 'desktop') {
      await page.keyboard.press('Tab');
      await expect(views.box, 'Tab leaves the popover').toBeHidden();
      await views.button.focus();
      await page.keyboard.press('Enter');
      await expect(views.box).toBeVisible();
      await page.keyboard.press('Shift+Tab');
      await expect(views.box, 'Shift+Tab leaves the popover').toBeHidden();
      await views.open();
      await views.saveButton.focus();
    }
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=Gamma/);
    await expect(views.box).toBeHidden();

    await palette.open();
    await palette.type('bet');
    await expect(palette.group('Views')).toContainText('Beta');
    await palette.choose(/^Beta/);
    await expect(page).toHaveURL(/q=Beta/);
  },
);

test(
  'the limit of views is shown, and long names are shown whole',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    const views = new ViewsPart(page);
    await user.addMany(harbourFleet().slice(0, 3));
    await user.saveView({ name: 'aaa مراقبة المرفأ الشمالي في الليل والنهار وما بعد', url: '/?q=a' });
    await user.saveView({ name: 'AAB lock chamber water level gate, west wall of the old harbour', url: '/map' });
    const names = Array.from({ length: 198 }, (_, at) => ({ name: `View ${at}`, url: `/?q=${at}` }));
    await Promise.all(names.map((view) => user.saveView(view)));
    await home.open();
    await expect(home.rows.first()).toBeVisible();
    await step('the list is full', async () => {
      await views.open();
      await expect(views.rows).toHaveCount(200);
      await expect(views.box).toContainText('You have reached the limit of 200 views.');
      await expect(views.saveButton).toBeDisabled();
    });
    await step('deleting one makes room', async () => {
      await views.act('View 0', 'Delete');
      await runPending(page.request);
      await page.reload();
      await views.open();
      await expect(views.rows).toHaveCount(199);
      await expect(views.saveButton).toBeEnabled();
    });
  },
);
