import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { PasswordLinkDialog } from './password-link.tsx';

test('an operator who cancels while a link is created is told that it may still be created', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const onClose = vi.fn<() => void>();
  const { container, press, unmount } = await mountPart(<PasswordLinkDialog name="eve" onClose={onClose} />);
  await press(t.operator.link.submit);
  await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await press(t.shell.kit.close);
  expect(onClose).toHaveBeenCalledOnce();
  expect(container.textContent).toContain(t.operator.link.is_sent);
  await unmount();
});

test('a new link is not closed by mistake before it was copied', async () => {
  const link = { url: 'https://example.org/link#code', expires_at: '2026-11-28T12:00:00.000Z' };
  vi.stubGlobal('fetch', async () => Response.json(link, { status: 201, headers: { 'x-swarmdeck': '1' } }));
  const onClose = vi.fn<() => void>();
  const { container, press, unmount } = await mountPart(<PasswordLinkDialog name="eve" onClose={onClose} />);
  await press(t.operator.link.submit);
  await waitFor(() => expect(container.querySelector<HTMLInputElement>('.copy-text')?.value).toBe(link.url));
  await act(async () => container.querySelector('dialog')!.dispatchEvent(new Event('cancel', { cancelable: true })));
  expect(onClose).not.toHaveBeenCalled();
  expect(container.textContent).toContain(t.operator.link.lost_title);
  await press(t.operator.link.lost_close);
  expect(onClose).toHaveBeenCalledOnce();
  await unmount();
});
