import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InboxCount } from '@swarmdeck/bff/contract';
import { request } from 'playwright/test';
import { signUp } from '../user.ts';
import { startServer } from '../server.ts';
import { createPage } from './browser-page.ts';
import { playJourney } from './journey.ts';
import { startTlsProxy } from './tls-proxy.ts';
import type { WebDriver } from './webdriver.ts';

/**
 * Plays the journey in one browser, with a server of its own. Throws if it fails, with the title of the step; then there
 * are a picture of the page and its HTML, after its address, in `pictures`.
 */
export async function playIn({ start, pictures }: { start: () => Promise<WebDriver>; pictures: string }) {
  // WebKit keeps the cookie of a session only over TLS
  const proxy = await startTlsProxy();
  const { origin } = proxy;
  const server = await startServer({ env: { PUBLIC_URL: origin, TRUSTED_PROXIES: 'loopback' } });
  proxy.passTo(Number(new URL(server.origin).port));
  const contexts = await Promise.all([1, 2].map(() => request.newContext({ ignoreHTTPSErrors: true })));
  let step = 'start';
  try {
    await using driver = await start();
    const page = createPage(driver);
    try {
      const [user, owner] = await Promise.all(contexts.map((context) => signUp({ request: context, origin })));
      await playJourney({
        page,
        origin,
        user: user!,
        owner: owner!,
        async received() {
          const answer = await contexts[0]!.get(`${origin}/api/inbox/count`);
          return ((await answer.json()) as InboxCount).received;
        },
        onStep: (title) => (step = title),
      });
    } catch (error) {
      mkdirSync(pictures, { recursive: true });
      const file = join(pictures, driver.browser.replaceAll(' ', '-'));
      writeFileSync(`${file}.png`, await page.screenshot());
      writeFileSync(
        `${file}.html`,
        await page.run(() => `<!-- ${location.href} -->\n${document.documentElement.outerHTML}`),
      );
      throw error;
    }
    return driver.browser;
  } catch (error) {
    throw new Error(`${step}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await Promise.all(contexts.map((context) => context.dispose()));
    proxy.close();
    await server.stop();
  }
}
