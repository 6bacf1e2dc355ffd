import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect } from 'playwright/test';
import type { BrowserContext, Page } from 'playwright/test';
import { AccountPage } from './pages/account.page.ts';
import { DevicePage } from './pages/device.page.ts';
import { HomePage } from './pages/home.page.ts';
import { InboxPage } from './pages/inbox.page.ts';
import { InvitePage } from './pages/invite.page.ts';
import { LayoutPart } from './pages/layout.part.ts';
import { ShellPart } from './pages/shell.part.ts';
import { SignInPage } from './pages/sign-in.page.ts';
import { SwarmPage } from './pages/swarm.page.ts';
import { SwarmsPage } from './pages/swarms.page.ts';
import { signUp } from './person.ts';
import type { Person } from './person.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';

interface Fixtures {
  /** Somebody who has signed up a moment ago. */
  user: Person;
  /** Somebody else, in no browser: they own swarms and ask for the user's devices. */
  owner: Person;
  /** Whether the page is theirs; else it is a stranger's. */
  signedIn: boolean;
  /** One step of a journey, and at its end axe over the page in both themes: 0 violations. */
  step(title: string, body: () => Promise<void>): Promise<void>;
  signIn: SignInPage;
  shell: ShellPart;
  home: HomePage;
  device: DevicePage;
  account: AccountPage;
  inbox: InboxPage;
  swarms: SwarmsPage;
  swarm: SwarmPage;
  invite: InvitePage;
  layout: LayoutPart;
  /** Fails the test when a page of it broke the content policy, threw, or asked another host for anything. */
  guard: undefined;
}

export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  guard: [
    async ({ context, server }, use) => {
      const faults = await watchForFaults({ context, origin: server.origin });
      await use(undefined);
      expect(faults, 'what no page may do').toEqual([]);
    },
    { auto: true },
  ],
  signedIn: [true, { option: true }],
  user: [
    async ({ context, server, signedIn }, use) => {
      const person = await signUp({ request: context.request, origin: server.origin });
      if (!signedIn) await context.clearCookies();
      await use(person);
    },
    { auto: true },
  ],
  owner: async ({ playwright, server }, use) => {
    const request = await playwright.request.newContext();
    await use(await signUp({ request, origin: server.origin }));
    await request.dispose();
  },
  step: async ({ page }, use) =>
    use((title, body) =>
      test.step(title, async () => {
        await body();
        await expectAccessible({ page, title });
      }),
    ),
  signIn: async ({ page }, use) => use(new SignInPage(page)),
  shell: async ({ page }, use) => use(new ShellPart(page)),
  home: async ({ page }, use) => use(new HomePage(page)),
  device: async ({ page }, use) => use(new DevicePage(page)),
  account: async ({ page }, use) => use(new AccountPage(page)),
  inbox: async ({ page }, use) => use(new InboxPage(page)),
  swarms: async ({ page }, use) => use(new SwarmsPage(page)),
  swarm: async ({ page }, use) => use(new SwarmPage(page)),
  invite: async ({ page }, use) => use(new InvitePage(page)),
  layout: async ({ page }, use) => use(new LayoutPart(page)),
});

export { expect };

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The page as it stands, dialogs, menus and errors open where they are; what a theme can change in both themes. */
export async function expectAccessible({ page, title }: { page: Page; title: string }) {
  const modal = (await page.evaluate(() => document.querySelector('dialog:modal'))) !== null;
  // behind a modal dialog nothing can be seen or reached
  const axe = () => {
    // the newer mode opens a page for each run, for frames that there are none of
    const builder = new AxeBuilder({ page }).setLegacyMode();
    return modal ? builder.include('dialog:modal') : builder;
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(axe().withRules('color-contrast'));
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(axe().withTags(axeTags));
  expect({ dark, light }, `${title}: what axe finds`).toEqual({ dark: [], light: [] });
}

async function violations(axe: AxeBuilder) {
  const results = await axe.analyze();
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? ''} ${html}`),
  );
}

/** What happens behind the page's back, on every page of the context, from its first script on. */
export async function watchForFaults({ context, origin }: { context: BrowserContext; origin: string }) {
  const faults: string[] = [];
  await context.exposeFunction('reportViolation', (violation: string) => faults.push(`content policy: ${violation}`));
  await context.addInitScript(() => {
    const report = (window as unknown as { reportViolation(violation: string): void }).reportViolation;
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
      report(`${effectiveDirective} ${blockedURI} in ${sourceFile}:${lineNumber}`),
    );
  });
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(`content policy: ${message.text()}`);
  });
  context.on('weberror', (error) => faults.push(`thrown: ${error.error().stack ?? String(error.error())}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) faults.push(`request: ${request.url()}`);
  });
  return faults;
}
