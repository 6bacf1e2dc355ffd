import { openPage } from './browser.ts';
import { signIn, view } from './device-map.ts';
import type { Fleet } from './fleet.ts';

/** The home page as its user has it, in ms from navigation; what is asked of it then, in ms; its heap in MB. */
export async function homePage(fleet: Fleet): Promise<Record<string, number>> {
  await using bench = await openPage();
  const { page } = bench;
  await signIn(page, fleet);
  const from = performance.now();
  const since = (start: number) => performance.now() - start;
  await page.goto(`${fleet.url}/?${view}`);
  const rows = page.getByRole('list', { name: 'List of devices' }).getByRole('listitem');
  const patience = { timeout: 300_000 };
  const list = rows
    .first()
    .waitFor(patience)
    .then(() => since(from));
  await page.waitForFunction(() => watch.first > 0, undefined, patience);
  const map = await page.evaluate(() => watch.first);

  const timed = async (act: () => Promise<unknown>) => {
    const start = performance.now();
    await act();
    return since(start);
  };
  const listed = await list;
  const counted = (path: string) => page.waitForResponse((response) => response.url().includes(path), patience);
  const filter = await timed(() =>
    Promise.all([
      counted('machine_type=bug'),
      page
        .getByRole('button', { name: /^Bug\b/ })
        .first()
        .click(),
    ]),
  );
  await page
    .getByRole('button', { name: /^Bug\b/ })
    .first()
    .click();
  const number = Math.min(4711, fleet.count);
  const found = page.getByRole('button', { name: new RegExp(`^Sensor ${number}\\s?, `) });
  const search = await timed(async () => {
    await page.getByRole('searchbox', { name: 'Search devices' }).fill(`sensor ${number}`);
    await found.waitFor(patience);
  });
  const select = await timed(async () => {
    await found.click();
    await page.getByRole('region', { name: 'Selected device' }).waitFor(patience);
  });
  const { heap } = await bench.memory();
  return { map, list: listed, filter, search, select, 'heap, MB': heap };
}
