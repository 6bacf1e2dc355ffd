import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { Recover } from './recover.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test('who gets no answer to a new password is told that it may be set', async () => {
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.startsWith('/auth/recover')) throw new TypeError('Failed to fetch');
    return Response.json({});
  });
  const { container, unmount } = await mountPart(<Recover username="ann" onSignIn={() => undefined} />);
  const values = ['ann', 'abcd-efgh-ijkl-mnop-qrst-uvwx', 'a long new password'];
  await act(async () => {
    container.querySelectorAll('input').forEach((input, at) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, values[at]);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  });
  await act(async () => {
    container.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
  await waitFor(() => expect(container.textContent).toContain(t.account.recovery.maybe_recovered));
  await unmount();
  vi.unstubAllGlobals();
});
