import type { Page } from 'playwright/test';
import { runPending } from './actions.ts';
import { stepsOn, type Step } from './accessibility.ts';
import { DevicePage } from './pages/device.page.ts';
import { HomePage } from './pages/home.page.ts';
import { InboxPage } from './pages/inbox.page.ts';
import { InvitePage } from './pages/invite.page.ts';
import { ShellPart } from './pages/shell.part.ts';
import { SwarmPage } from './pages/swarm.page.ts';
import { SwarmsPage } from './pages/swarms.page.ts';
import { signUp, type User } from './user.ts';

/** One of several users of a journey, each with a browser. */
export interface BrowserUser extends Pick<User, 'name' | 'add'> {
  page: Page;
  shell: ShellPart;
  home: HomePage;
  device: DevicePage;
  inbox: InboxPage;
  swarms: SwarmsPage;
  swarm: SwarmPage;
  invite: InvitePage;
  step: Step;
  /** Starts the user's pending action now, as if the time to undo it were over. */
  runPending(): Promise<void>;
  /** Advances this browser's clock. */
  waitOut(milliseconds: number): Promise<void>;
}

/** Signs up in a page whose clock can be advanced. */
export async function createBrowserUser({ page, origin }: { page: Page; origin: string }): Promise<BrowserUser> {
  const context = page.context();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { name, add } = await signUp({ request: context.request, origin });
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
    runPending: async () => void (await runPending(context.request)),
    waitOut: (milliseconds) => page.clock.runFor(milliseconds),
  };
}
