import { QueryClient } from '@tanstack/react-query';
import { act, useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Resource } from '@swarmdeck/bff/contract';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { HandOverDialog, HandoverNote } from './hand-over.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

const device = { id: 'd', name: 'Buoy', user_id: 'ann' } as Resource;

function Page() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <HandOverDialog device={device} user_id="ann" onClose={() => setOpen(false)} />;
}

test('an offer that could not be undone says so, although its dialog is closed', async () => {
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    method === 'DELETE' ? Response.json({ code: 'handover.missing' }, { status: 409 }) : Response.json({}),
  );
  const { container, type, submit, press, unmount } = await mountPart(<Page />);
  await type('bob');
  await submit();
  await waitFor(() => expect(container.textContent).toContain(t.shell.kit.undo));
  await waitFor(() => expect(container.querySelector('dialog')).toBeNull());
  await press(t.shell.kit.undo);
  await waitFor(() => expect(container.querySelector('.toasts .notice-bad')).not.toBeNull());
  await unmount();
});

test.each([
  ['that could not be read is not shown as none', () => Promise.reject(new TypeError('no network')), 'error'],
  ['that does not exist is shown as none', async () => new Response(null, { status: 204 }), 'success'],
])('an offer %s', async (_, answer, status) => {
  vi.stubGlobal('fetch', answer);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container, unmount } = await mountPart(<HandoverNote resource_id="d" />, client);
  await waitFor(() => expect(client.getQueryCache().getAll()[0]?.state.status).toBe(status));
  const hasNote = () => container.textContent.includes(t.handover.note_failed);
  await waitFor(() => expect(hasNote()).toBe(status === 'error'));
  await unmount();
});

test('the dialog says what becomes of the track and the values, as the user has chosen', async () => {
  const { container, unmount } = await mountPart(<Page />);
  const { history, no_history } = t.handover.effects;
  expect(container.textContent).toContain(t.handover.text);
  expect(container.textContent).toContain(no_history);
  await act(async () => container.querySelector<HTMLInputElement>('input[type=checkbox]')!.click());
  expect(container.textContent).not.toContain(no_history);
  expect(container.textContent).toContain(history);
  await unmount();
});
