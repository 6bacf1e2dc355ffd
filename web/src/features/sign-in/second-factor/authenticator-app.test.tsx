import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';

test('who cancels while the app is turned on is told that it may still be, and of recovery codes', async () => {
  const url = 'otpauth://totp/ann';
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (path.endsWith('/confirm')) return new Promise(() => {});
    return Promise.resolve(Response.json(method === 'POST' ? { secret: 'ABCDEFGH', url } : { is_on: false }));
  });
  const { container, press, submit, unmount } = await mountPart(<AuthenticatorApp />);
  await waitFor(() => expect(container.textContent).toContain(t.account.totp.set_up));
  await press(t.account.totp.set_up);
  await waitFor(() => expect(container.querySelector('dialog')).not.toBeNull());
  const code = container.querySelector<HTMLInputElement>('[name=code]')!;
  await act(async () => {
    code.setRangeText('123456');
    code.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await submit();
  await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await press(t.shell.kit.close);
  await waitFor(() => expect(container.querySelector('dialog')).toBeNull());
  await waitFor(() => expect(container.textContent).toContain(t.account.totp.is_sent));
  await unmount();
});
