import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { RecoveryBox } from './recovery-box.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));
const text = t.account.recovery;

/** Asks for new codes; `answer` is the response. */
async function ask(answer: Promise<Response>) {
  let hasAsked = false;
  vi.stubGlobal('fetch', (path: string, { method }: RequestInit = {}) => {
    if (method === 'POST') hasAsked = true;
    if (hasAsked) return method === 'POST' ? answer : new Promise(() => {});
    return Promise.resolve(Response.json(path.endsWith('recovery-codes') ? { left: 3 } : {}));
  });
  const page = await mountPart(<RecoveryBox id="recovery" />);
  await waitFor(() => expect(page.container.textContent).toContain(text.left(3)));
  await page.press(text.make);
  await page.press(text.make_submit);
  return page;
}

test('new codes are shown although nothing else is answered', async () => {
  const page = await ask(Promise.resolve(Response.json({ recovery_codes: ['abcd-efgh'], set_id: 's' })));
  await waitFor(() => expect(page.container.textContent).toContain('abcd-efgh'));
  await page.unmount();
});

test('who cancels while new codes are created is told that the old ones may stop working', async () => {
  const page = await ask(new Promise(() => {}));
  const dialog = page.container.querySelector('dialog')!;
  await waitFor(() => expect(dialog.querySelector('[aria-busy]')).not.toBeNull());
  const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
  await act(async () => dialog.dispatchEvent(escape));
  expect(page.container.querySelector('dialog')).toBeNull();
  expect(page.container.textContent).toContain(text.is_sent);
  await page.unmount();
});

test('new codes whose answer was lost are created again, because there is nothing to check', async () => {
  const lost = Promise.reject<Response>(new TypeError('Failed to fetch'));
  lost.catch(() => {});
  const page = await ask(lost);
  await waitFor(() => expect(page.container.querySelector('dialog')?.textContent).toContain(text.no_answer));
  expect(page.container.textContent).not.toContain(t.problems['service.no_answer']);
  await page.unmount();
});
