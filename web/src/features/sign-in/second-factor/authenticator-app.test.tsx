import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { problem } from '../../../data/actions/actions.fixture.ts';
import { t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';

test('a lost answer says how to go on, and the next try shows the recovery codes', async () => {
  const answers = [
    () => Promise.reject(new TypeError('the answer is lost')),
    () => problem('totp.exists', 409),
    () => Response.json({ recovery_codes: ['abcd-efgh'], set_id: 's' }),
  ];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (path.endsWith('/confirm')) return answers.shift()!();
    if (path.endsWith('/totp') && method === 'POST')
      return Response.json({ secret: 'ABCDEFGH', url: 'otpauth://totp/ann' });
    return Response.json({ is_on: false });
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
  for (const text of [t.account.totp.not_answered, t.account.totp.is_on_already, 'abcd-efgh']) {
    await submit();
    await waitFor(() => expect(container.textContent).toContain(text));
  }
  await unmount();
});

test('a removal after one whose answer was lost ends well', async () => {
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'DELETE' ? problem('totp.not_found', 404) : Response.json({ is_on: true }),
  );
  const { container, press, unmount } = await mountPart(<AuthenticatorApp />);
  await waitFor(() => expect(container.textContent).toContain(t.account.totp.remove));
  await press(t.account.totp.remove);
  await waitFor(() => expect(container.querySelector('dialog')).not.toBeNull());
  const buttons = [...container.querySelectorAll<HTMLButtonElement>('dialog button')];
  await act(async () => buttons.find(({ textContent }) => textContent === t.account.totp.remove)!.click());
  await waitFor(() => expect(container.querySelector('dialog')).toBeNull());
  await unmount();
});

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
