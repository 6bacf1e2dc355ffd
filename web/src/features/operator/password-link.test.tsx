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
  await press(t.shell.kit.cancel);
  expect(onClose).toHaveBeenCalledOnce();
  expect(container.textContent).toContain(t.operator.link.is_sent);
  await unmount();
});
