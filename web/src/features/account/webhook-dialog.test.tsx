import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { Webhook } from './webhook.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test('the dialog of the address closes while the network answers nothing, and says that there may be a new secret', async () => {
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    method === 'PUT' ? new Promise(() => {}) : Response.json({ webhook: null }),
  );
  const page = await mountPart(<Webhook id="webhook" />);
  await waitFor(() => expect(page.container.textContent).toContain(t.account.webhook.none));
  await page.press(t.account.webhook.add);
  await page.type('https://example.org/hook');
  await page.submit();
  await page.press(t.shell.kit.cancel);
  expect(page.container.querySelector('dialog')).toBeNull();
  expect(page.container.textContent).toContain(t.account.webhook.is_sent);
  await page.unmount();
});
