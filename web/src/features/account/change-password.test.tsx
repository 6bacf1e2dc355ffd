import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { ChangePassword } from './change-password.tsx';

beforeAll(() => loadTexts('en'));

test('a password that was changed after the dialog was closed does not close the dialog that was opened since', async () => {
  const changed = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'GET' ? Response.json({}) : changed.promise,
  );
  const onClose = vi.fn<() => void>();
  const page = await mountPart(<ChangePassword key="first" onClose={onClose} />);
  for (const field of page.container.querySelectorAll('input[type=password]')) {
    await act(async () => {
      (field as HTMLInputElement).setRangeText('correct horse battery');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }
  await page.submit();
  await waitFor(() => expect(page.client.isMutating()).toBe(1));
  await page.show(<ChangePassword key="second" onClose={onClose} />);
  await act(async () => changed.resolve(new Response(null, { status: 204 })));
  await waitFor(() => expect(page.container.textContent).toContain(t.account.password.changed));
  expect(onClose).not.toHaveBeenCalled();
  await page.unmount();
});
