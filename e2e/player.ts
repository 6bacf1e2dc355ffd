import type { BrowserContext, Page } from 'playwright/test';
import { stepsOn } from './accessible.ts';
import type { Step } from './accessible.ts';
import { DevicePage } from './pages/device.page.ts';
import { HomePage } from './pages/home.page.ts';
import { InboxPage } from './pages/inbox.page.ts';
import { InvitePage } from './pages/invite.page.ts';
import { ShellPart } from './pages/shell.part.ts';
import { SwarmPage } from './pages/swarm.page.ts';
import { SwarmsPage } from './pages/swarms.page.ts';
import { signUp } from './person.ts';
import type { Person } from './person.ts';

/** Somebody at a browser of their own: one of several in a story. */
export interface Player extends Pick<Person, 'name' | 'add'> {
  page: Page;
  shell: ShellPart;
  home: HomePage;
  device: DevicePage;
  inbox: InboxPage;
  swarms: SwarmsPage;
  swarm: SwarmPage;
  invite: InvitePage;
  step: Step;
  /** The time in this browser goes on by that. */
  waitOut(milliseconds: number): Promise<void>;
}

/** Signs up in that browser; its clock can be put forward. */
export async function createPlayer({ context, origin }: { context: BrowserContext; origin: string }): Promise<Player> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { name, add } = await signUp({ request: context.request, origin });
  const page = await context.newPage();
  await page.clock.install();
  return {
    name,
    add,
    page,
    shell: new ShellPart(page),
    home: new HomePage(page),
    device: new DevicePage(page),
    inbox: new InboxPage(page),
    swarms: new SwarmsPage(page),
    swarm: new SwarmPage(page),
    invite: new InvitePage(page),
    step: stepsOn(page),
    waitOut: (milliseconds) => page.clock.runFor(milliseconds),
  };
}
