import { expect, test } from '../fixtures.ts';
import { stepsOn } from '../accessibility.ts';
import { startGate } from '../gate.ts';
import { AccountPage } from '../pages/account.page.ts';
import { CompanyPage } from '../pages/company.page.ts';
import { DevicePage } from '../pages/device.page.ts';
import { HomePage } from '../pages/home.page.ts';
import { ShellPart } from '../pages/shell.part.ts';
import { signUp } from '../user.ts';

test.use({ mounted: false, serviceWorkers: 'allow' });

test(
  'a sign-in of a proxy that has ended is found by a button, or by itself if nothing would be lost',
  { tag: ['@long', '@once'] },
  async ({ browser }) => {
    await using gate = await startGate();
    await using context = await browser.newContext({ baseURL: gate.origin });
    const user = await signUp({ request: context.request, origin: gate.origin });
    const buoy = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    const page = await context.newPage();
    const step = stepsOn(page);
    const [home, device, shell] = [new HomePage(page), new DevicePage(page), new ShellPart(page)];
    const company = new CompanyPage(page);

    await step('the app can be opened without a network', async () => {
      await home.open();
      await expect(home.row('Buoy 7')).toBeVisible();
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    });
    await step('what was typed stays, and a button leads to the sign-in and back', async () => {
      await device.open(buoy.id);
      await device.form.name.fill('Buoy 8');
      gate.close();
      await page.evaluate(() => dispatchEvent(new Event('offline')));
      await expect(shell.notice).toContainText('This network may need a sign-in first.');
      await expect(device.form.name).toHaveValue('Buoy 8');
      await shell.goToSignIn.click();
      await expect(company.heading).toBeVisible();
      await company.signIn();
      await expect(device.heading).toHaveText('Buoy 7');
      await expect(page).toHaveURL(`${gate.origin}/devices/${buoy.id}`);
      await expect(shell.goToSignIn).toHaveCount(0);
    });
    await step('a page that is loaded again goes there by itself, and comes back to the same place', async () => {
      await page.goto('/account?x=1#keys');
      await expect(new AccountPage(page).heading).toBeVisible();
      gate.close();
      await page.reload();
      await expect(company.heading).toBeVisible();
      await company.signIn();
      await expect(new AccountPage(page).heading).toBeVisible();
      await expect(page).toHaveURL(`${gate.origin}/account?x=1#keys`);
    });
    await step('a page that the proxy sends, and whose requests it does not, stays', async () => {
      await page.goto('/');
      await expect(home.row('Buoy 7')).toBeVisible();
      gate.close('requests');
      const before = gate.counts();
      await page.reload();
      await expect.poll(() => gate.counts().pages).toBe(before.pages + 1);
      await expect(shell.goToSignIn).toBeVisible();
      const { refused } = gate.counts();
      // The notice tries again.
      await expect.poll(() => gate.counts().refused, { timeout: 20_000 }).toBeGreaterThan(refused + 1);
      expect(gate.counts().pages).toBe(before.pages + 1);
      await expect(home.row('Buoy 7')).toBeVisible();
    });
    await step('without a network, the app opens', async () => {
      await context.setOffline(true);
      await page.goto('/swarms');
      await expect(shell.offline).toBeVisible();
      await expect(shell.goToSignIn).toHaveCount(0);
    });
  },
);
