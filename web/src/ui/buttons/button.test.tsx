import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { Offline } from '../browser/offline.ts';

test('offline, a button that sends something looks disabled and only says why; the others work', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const pressed = vi.fn<(name: string) => void>();
  const page = document.createElement('div');
  const root = createRoot(page);
  const explain = vi.fn<() => void>();
  const render = (reason: string | null) =>
    act(async () =>
      root.render(
        <Offline value={reason === null ? null : { reason, explain }}>
          <Button sends onClick={() => pressed('send')}>
            Send
          </Button>
          <Button onClick={() => pressed('open')}>Open</Button>
        </Offline>,
      ),
    );
  const [send, open] = [() => page.querySelectorAll('button')[0]!, () => page.querySelectorAll('button')[1]!];
  await render('You’re offline.');
  expect([send(), open()].map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', null]);
  expect([send(), open()].map((button) => button.title)).toEqual(['You’re offline.', '']);
  await act(async () => [send(), open()].forEach((button) => button.click()));
  expect(pressed.mock.calls).toEqual([['open']]);
  expect(explain).toHaveBeenCalledOnce();
  await render(null);
  await act(async () => send().click());
  expect(pressed.mock.lastCall).toEqual(['send']);
  await act(async () => root.unmount());
});
