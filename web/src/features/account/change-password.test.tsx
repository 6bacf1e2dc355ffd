import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { foreignResponse } from '../../data/responses.fixture.ts';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { ChangePassword } from './change-password.tsx';

beforeAll(() => loadTexts('en'));

async function fill(container: HTMLElement) {
  for (const field of container.querySelectorAll('input[type=password]')) {
    await act(async () => {
      (field as HTMLInputElement).setRangeText('correct horse battery');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }
}

test('a password that was changed after the dialog was closed does not close the dialog that was opened since', async () => {
  const changed = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'GET' ? Response.json({}) : changed.promise,
  );
  const onClose = vi.fn<() => void>();
  const page = await mountPart(<ChangePassword key="first" onClose={onClose} />);
  await fill(page.container);
  await page.submit();
  await waitFor(() => expect(page.client.isMutating()).toBe(1));
  await page.show(<ChangePassword key="second" onClose={onClose} />);
  await act(async () => changed.resolve(new Response(null, { status: 204 })));
  await waitFor(() => expect(page.container.textContent).toContain(t.account.password.changed));
  expect(onClose).not.toHaveBeenCalled();
  await page.unmount();
});

test('a wrong current password after a try without an answer may be the one before the change', async () => {
  const headers = { 'content-type': 'application/problem+json' };
  const wrong = () => Response.json({ status: 400, code: 'password.wrong' }, { status: 400, headers });
  const answers = [wrong, () => foreignResponse('<h1>Welcome</h1>'), wrong];
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'GET' ? Response.json({}) : answers.shift()!(),
  );
  const page = await mountPart(<ChangePassword onClose={() => {}} />);
  await fill(page.container);
  const { wrong: plain, wrong_again } = t.account.password;
  for (const says of [plain, t.problems['service.no_answer'], wrong_again]) {
    await page.submit();
    await waitFor(() => expect(page.container.textContent).toContain(says));
  }
  await page.unmount();
});
