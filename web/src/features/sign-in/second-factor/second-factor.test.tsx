import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';
import { SecondFactor } from './second-factor.tsx';

beforeAll(() => loadTexts('en'));

test('who signs in with a recovery code learns how many are left and what to remove, before the page that was asked for', async () => {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(path === '/api/account/recovery-codes' ? { left: 7 } : { user_id: 'ann' }),
  );
  const onEntered = vi.fn<() => void>();
  const { container, press, submit, unmount } = await mountPart(
    <SecondFactor onEntered={onEntered} onBack={() => undefined} />,
  );
  const enter = async (code: string) => {
    const field = container.querySelector('input')!;
    await act(async () => {
      field.setRangeText(code, 0, field.value.length);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await submit();
  };
  await press(t.account.totp.lost);
  await enter('abcd-efgh-ijkl-mnop-qrst-uvwx');
  await waitFor(() => expect(container.textContent).toContain(t.account.recovery.left(7)));
  expect(container.textContent).toContain(t.account.recovery.after_use);
  expect(onEntered).not.toHaveBeenCalled();
  await press(t.account.recovery.continue);
  expect(onEntered).toHaveBeenCalledOnce();
  await unmount();
  vi.unstubAllGlobals();
});
