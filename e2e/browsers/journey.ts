import type { User } from '../user.ts';
import type { BrowserPage } from './browser-page.ts';
import { until } from './webdriver.ts';

const harbour = { longitude: 10.135, latitude: 54.321 };

/** A short journey through the app for browsers that Playwright does not drive. Throws at the first thing that fails. */
export async function playJourney(options: {
  page: BrowserPage;
  origin: string;
  user: User;
  owner: User;
  /** How many received invitations the service has in each state. */
  received(): Promise<{ new: number; accepted: number }>;
  /** Called with each step before it begins. */
  onStep(title: string): void;
}) {
  const { page, origin, user, owner, received, onStep } = options;
  const tug = await user.add({ name: 'Tug 7', machine_type: 'smartphone', position: harbour });
  const swarm = await owner.createSwarm({ name: 'River levels', description: '', public: true });
  await owner.invite(swarm, { to: user.name, resource_id: tug.id, resource_type: 'consumer' });

  onStep('sign in');
  await page.goto(`${origin}/sign-in`);
  await page.click('input', 'User name');
  await page.type(user.name);
  await page.click('input[type=password]', 'Password');
  await page.type(user.password);
  await page.press('Enter');
  await page.see('h1', 'Devices');

  onStep('the map with names');
  await page.see('button', 'Tug 7');
  await until('names on the map', () => page.run(paintedPixels).then((count) => count > 500));

  onStep('the command palette');
  await page.press('Control', 'k');
  await page.see('dialog input', 'Jump to');
  await page.type('tug');
  await page.click('dialog [role=option]', 'Tug 7');
  await page.see('h1', 'Tug 7');

  onStep('add a device');
  await page.click('nav a', 'Devices');
  await page.see('h1', 'Devices');
  await page.press('c');
  await page.click('dialog input', 'Name');
  await page.type('Quay crane');
  await page.click('dialog label', 'Bug');
  await page.click('dialog button', 'Add device');
  await page.miss('dialog h2', 'Add a device');
  await page.see('button, h1, h2', 'Quay crane');

  onStep('accept an invitation, and undo it');
  await page.goto(`${origin}/invitations`);
  await page.click('li button', 'Accept');
  await page.see('li', 'Accepting…');
  await page.click('li button', 'Undo');
  await page.see('li button', 'Accept');
  const { new: open } = await received();
  if (open !== 1) throw new Error(`${open} open invitations after Undo, not 1`);

  onStep('an answer is sent when its page is left');
  await page.click('li button', 'Accept');
  await page.see('li', 'Accepting…');

  onStep('the wall');
  await page.goto(`${origin}/map`);
  await until('the invitation is accepted', async () => (await received()).accepted === 1);
  await page.see('p, span, div', '1 of 2 with a position');
  await page.see('p, span, div', 'Live');
}

/** Runs in the page: how many pixels of the map's names are painted. */
function paintedPixels() {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas.map-names');
  const context = canvas?.getContext('2d');
  if (!canvas || !context || canvas.width === 0) return 0;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, index) => index % 4 === 3 && value > 0).length;
}
