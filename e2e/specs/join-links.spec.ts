import { expectAccessible, stepsOn } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { BoardPart } from '../pages/board.part.ts';
import { JoinPage } from '../pages/join.page.ts';
import { LinksPart } from '../pages/links.part.ts';
import { SignInPage } from '../pages/sign-in.page.ts';

test('an owner makes a link, somebody new joins by it, and after its end nobody does', async ({
  page,
  context,
  browser,
  server,
  user,
  enter,
  swarm,
  step,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const links = new LinksPart(page);
  const made = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay' });
  let link = '';

  await step('the owner makes a link', async () => {
    await swarm.open(made.id);
    await swarm.show('Links');
    await expect(links.empty).toBeVisible();
    await links.begin();
    await links.fill({ name: '', most: '0' });
    await links.submit();
    await expect(links.error('A whole number from 1 to 100,000.')).toBeVisible();
    await links.fill({ name: 'Workshop', most: '5' });
    await links.submit();
    await expect(links.shown).toBeVisible();
    link = await links.copy();
    await links.close();
    await expect(links.row('Workshop')).toContainText('0 of 5 joined');
  });

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    geolocation: { latitude: 54.32, longitude: 10.14 },
    permissions: ['geolocation'],
  });
  const other = await phone.newPage();
  const join = new JoinPage(other);
  await stepsOn(other)('a new user sees what it is for, and signs up on the way', async () => {
    await other.goto(link);
    const signIn = new SignInPage(other);
    await expect(join.preview('Harbour weather')).toContainText(`by ${user.name} · 0 members`);
    await expect(join.preview('Harbour weather')).toContainText('Wind on every quay');
    await expect(join.preview('Harbour weather')).toContainText('Role of your devices: sends.');
    await expectAccessible({ page: other, title: 'join before sign-in' });
    await signIn.signUp({ name: `joiner-${made.id.slice(-12)}`, password: 'a long enough password' });
    await signIn.storeCodes();
    await expect(join.heading).toHaveText('Harbour weather');
    await expect(join.text(`by ${user.name}`)).toBeVisible();
    await expect(join.text('Wind on every quay')).toBeVisible();
    const consent =
      /^Role of your devices: sends\..*0 devices of Harbour weather will receive what your devices send\.$/;
    await expect(join.text(consent)).toBeVisible();
  });
  await stepsOn(other)('adds a device and joins', async () => {
    await join.add('Mast');
    await expect(join.device('Mast')).toBeChecked();
    // what the server refuses is still selected
    await other.route('**/api/actions', (route) =>
      route.fulfill({ status: 400, headers: { 'x-swarmdeck': '1' }, contentType: 'application/json', body: '{}' }),
    );
    await join.submit('Join with 1 device').click();
    await expect(join.retry).toBeVisible();
    await expect(join.device('Mast')).toBeChecked();
    await other.unroute('**/api/actions');
    await join.until.selectOption('24 hours');
    await expect(
      join.text('At this time, your devices leave the swarm automatically. You can change the time later.'),
    ).toBeVisible();
    await join.submit('Join with 1 device').click();
    await expect(join.result('1 device joined')).toContainText('You can change the end in the list of members.');
  });
  await stepsOn(other)('joins with all others, but not again with the first one', async () => {
    await join.joinMore();
    await phone.setGeolocation(null);
    await join.beginPhone('');
    await join.cancelPhone();
    await phone.setGeolocation({ latitude: 54.32, longitude: 10.14 });
    await join.beginPhone('54.320000');
    await join.addPhone();
    await expect(join.device('My phone')).toBeChecked();
    await join.add('Gate');
    await join.all('Select all 2 devices').check();
    await join.submit('Join with 2 devices').click();
    await expect(join.result('2 devices joined')).toBeVisible();
  });
  await join.openSwarm();
  await expect(join.result('2 devices joined')).toBeHidden();
  await expect(join.heading).toHaveText('Harbour weather');
  await stepsOn(other)('and sees the result only once', async () => {
    await other.goBack();
    await expect(join.devices).toBeVisible();
    await expect(join.result('2 devices joined')).toBeHidden();
  });

  await step('the owner sees who came', async () => {
    await expect(links.row('Workshop')).toContainText('3 of 5 joined');
    await links.showJoined('Workshop');
    await expect(links.filter('Workshop')).toBeVisible();
    await expect(new BoardPart(page).rows.filter({ hasText: 'Mast' })).toContainText('joiner-');
  });

  await step('and ends the link', async () => {
    await swarm.show('Links');
    await links.end('Workshop');
    await expect(links.row('Workshop')).toContainText('Ended');
  });

  const late = await enter();
  await late.page.goto(`${server.origin}${new URL(link).pathname}`);
  await late.step('a third user is told that it cannot be used', async () => {
    await expect(new JoinPage(late.page).heading).toHaveText('This link can’t be used');
  });
  await other.context().close();
});
