import { expect, test } from '../fixtures.ts';

test('the main task works without a pointer, and Enter opens what J selects', async ({
  page,
  user,
  signIn,
  shell,
  home,
  device,
}) => {
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  await page.context().clearCookies();
  await page.goto('/');
  await expect(signIn.userName).toBeFocused();
  await page.keyboard.type(user.name);
  await press('Tab');
  await page.keyboard.type(user.password);
  await press('Enter');
  await expect(home.firstRun).toBeVisible();

  // at once: text typed while the dialog loads goes to its first field and runs no shortcut
  await press('c');
  await page.keyboard.type('Gate sensor 18');
  await expect(home.addForm.name).toHaveValue('Gate sensor 18');
  await expect(home.addForm.name).toBeFocused();
  await press('Tab', 'ArrowRight');
  await press('Enter');
  await expect(home.row('Gate sensor 18')).toBeVisible();

  await press('/');
  await expect(home.searchField).toBeFocused();
  await page.keyboard.type('gate');
  await expect(page).toHaveURL(/q=gate/);
  await press('ArrowDown', 'Enter');
  await expect(device.heading).toHaveText('Gate sensor 18');

  await press('g', 's');
  await expect(shell.destination('Swarms')).toHaveAttribute('aria-current', 'page');
  await press('g', 'd');
  await expect(home.row('Gate sensor 18')).toBeVisible();

  // after a click on a chip, J and Enter open the device and do not press the chip again
  await home.toggle('Bug');
  await expect(page).toHaveURL(/machine_type=bug/);
  await expect(home.row('Gate sensor 18')).toBeVisible();
  await press('j', 'Enter');
  await expect(device.heading).toHaveText('Gate sensor 18');
});

test('the focus is always visible, and Tab follows the visual order', async ({ page, user, home, layout }) => {
  await user.add({ name: 'Gate sensor 18', machine_type: 'bug', position: { longitude: 10, latitude: 53 } });
  await home.open();
  await expect(home.row('Gate sensor 18')).toBeVisible();
  const seen: string[] = [];
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const at = await layout.focused();
    if (!at) break;
    expect(at.seen, `the focus is seen on ${at.name}`).toBe(true);
    seen.push(at.name);
  }
  const order = ['Skip to content', 'Devices', 'Account', 'Search devices', 'PC', 'Only in view'];
  const places = order.map((name) => seen.findIndex((at) => at.startsWith(name)));
  expect(places, seen.join(' | ')).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
