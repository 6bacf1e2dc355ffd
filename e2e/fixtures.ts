import { test as base, expect, type BrowserContext, type Page } from 'playwright/test';
import { stepsOn, type Step } from './accessibility.ts';
import type { Faults } from './faults.ts';
import { openContext, openMountedPage, openOwnPage, type MountedPage } from './mounted-page.ts';
import { AccountPage } from './pages/account.page.ts';
import { DevicePage } from './pages/device.page.ts';
import { HomePage } from './pages/home.page.ts';
import { InboxPage } from './pages/inbox.page.ts';
import { InvitePage } from './pages/invite.page.ts';
import { LayoutPart } from './pages/layout.part.ts';
import { SheetPart } from './pages/sheet.part.ts';
import { ShellPart } from './pages/shell.part.ts';
import { SignInPage } from './pages/sign-in.page.ts';
import { SwarmPage } from './pages/swarm.page.ts';
import { SwarmsPage } from './pages/swarms.page.ts';
import { WallPage } from './pages/wall.page.ts';
import { signUp, type User } from './user.ts';
import { createBrowserUser, type BrowserUser } from './browser-user.ts';
import { isInstalled, startServer, type Server } from './server.ts';

interface Fixtures {
  /** A new user. */
  user: User;
  /** Another new user, without a browser, who owns swarms and invites the user's devices. */
  owner: User;
  /** Opens a page for another new user, for journeys with several people. */
  enter(): Promise<BrowserUser>;
  /**
   * Whether the journey shares a page with others, where the app is mounted again instead of loaded again. Journeys with
   * several tabs, with scripts at the start of a document or about loading itself have a page of their own: a file with
   * `test.use({ mounted: false })`, one of them with the tag `@page`.
   */
  mounted: boolean;
  /** Whether the journeys of a file have a clock that they advance (`page.clock`). One journey alone has the tag `@clock`. */
  clock: boolean;
  /** Whether a page of its own shows its canvases. Only pictures need them. */
  showsCanvases: boolean;
  /** The origin of a provider of single sign-on, to which the pages of a journey may go. */
  providerOrigin: string | undefined;
  /** The open pages, by their options. */
  opened: { context: BrowserContext; page: Page | null; faults: Faults };
  /** Whether the page is signed in as the user. */
  signedIn: boolean;
  step: Step;
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
  sheet: SheetPart;
  wall: WallPage;
  /** Fails the test if one of its pages violated the content policy, threw, or requested anything from another host. */
  guard: undefined;
}

/** Something that runs while journeys use it. */
interface Service {
  stop(): Promise<void>;
}

interface WorkerFixtures {
  /**
   * Starts what the journeys of a worker share, such as a server with other settings: once for each function, which is called by the
   * first journey that needs it. With worker fixtures of their own, Playwright would start other workers for these journeys, and
   * each starts a browser.
   */
  share<Shared extends Service>(start: () => Promise<Shared>): Promise<Shared>;
  mountedPages: Map<string, MountedPage>;
}

/** For tests that open no page. They need no browser and no user. */
export const serverTest = base.extend<{ server: Server }, WorkerFixtures>({
  share: [
    async ({}, use) => {
      const services = new Map<() => Promise<Service>, Promise<Service>>();
      await use(<Shared extends Service>(start: () => Promise<Shared>) => {
        const service = (services.get(start) as Promise<Shared> | undefined) ?? start();
        services.set(start, service);
        return service;
      });
      for (const service of services.values()) await (await service).stop();
    },
    { scope: 'worker' },
  ],
  server: async ({ share }, use) => use(await share(startServer)),
  mountedPages: [
    async ({ browser: _browser }, use) => {
      const pages = new Map<string, MountedPage>();
      await use(pages);
      await Promise.all([...pages.values()].map((page) => page.close()));
    },
    { scope: 'worker' },
  ],
});

export const test = serverTest.extend<Fixtures>({
  baseURL: async ({ server }, use) => use(server.origin),
  mounted: [true, { option: true }],
  clock: [false, { option: true }],
  showsCanvases: [false, { option: true }],
  providerOrigin: async ({}, use) => use(undefined),
  opened: async (
    {
      browser,
      server,
      mountedPages,
      mounted,
      clock: ofFile,
      viewport,
      contextOptions,
      permissions,
      showsCanvases,
      providerOrigin,
    },
    use,
    info,
  ) => {
    const { origin } = server;
    const clock = ofFile || info.tags.includes('@clock');
    const isShared = mounted && !isInstalled && !info.tags.includes('@page') && !permissions;
    if (!isShared) {
      const own = await openContext({ browser, origin, clock, provider: providerOrigin, showsCanvases });
      await use({ ...own, page: null });
      return own.context.close();
    }
    // another server, size, motion or clock needs another context
    const key = JSON.stringify([origin, info.project.name, viewport, contextOptions, clock]);
    const reducedMotion = contextOptions.reducedMotion ?? 'no-preference';
    const page = mountedPages.get(key) ?? (await openMountedPage({ browser, origin, reducedMotion, clock }));
    mountedPages.delete(key);
    await use(page);
    if (info.status === info.expectedStatus && (await page.reset())) mountedPages.set(key, page);
    else await page.close();
  },
  context: async ({ opened }, use) => use(opened.context),
  page: async ({ opened }, use) => use(opened.page ?? (await opened.context.newPage())),
  guard: [
    async ({ opened: { faults } }, use) => {
      await use(undefined);
      expect(faults.found(), 'what no page may do').toEqual([]);
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
  enter: async ({ browser, server: { origin }, mountedPages, viewport, contextOptions }, use, info) => {
    const key = JSON.stringify([origin, info.project.name, viewport, contextOptions, true]);
    const reducedMotion = contextOptions.reducedMotion ?? 'no-preference';
    const opened: MountedPage[] = [];
    await use(async () => {
      const open = isInstalled ? openOwnPage : openMountedPage;
      const other = mountedPages.get(key) ?? (await open({ browser, origin, reducedMotion, clock: true }));
      mountedPages.delete(key);
      opened.push(other);
      return createBrowserUser({ page: other.page, origin });
    });
    const faults = opened.flatMap((other) => other.faults.found());
    for (const other of opened) {
      const isLikeNew = info.status === info.expectedStatus && (await other.reset());
      if (isLikeNew && !mountedPages.has(key)) mountedPages.set(key, other);
      else await other.close();
    }
    expect(faults, 'what no page may do').toEqual([]);
  },
  step: async ({ page }, use) => use(stepsOn(page)),
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
  sheet: async ({ page }, use) => use(new SheetPart(page)),
  wall: async ({ page }, use) => use(new WallPage(page)),
});

export { expect };
