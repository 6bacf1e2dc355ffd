import { act, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { OutcomeToasts } from '../../ui/toasts/outcome-toasts.tsx';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { UserDialog } from './user-dialog.tsx';

const never = { disabled_at: null, role: null, active_at: null };
const quotas = Object.fromEntries(Object.keys(t.operator.quotas).map((quota) => [quota, { used: 0, allowed: null }]));
const user = { user_id: 'eve', created_at: '2026-01-02T03:00:00.000Z', ...never, resources: 3, sessions: 1, quotas };

const reason = t.problems['service.no_answer'];

test.each([
  { is: 'closed', notice: t.shell.unconfirmed + reason },
  { is: 'open', notice: reason },
])('one notice says that a user was not disabled, with the dialog $is', async ({ is, notice }) => {
  const { promise, reject } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'POST' ? promise : Promise.resolve(Response.json(path.includes('/users/') ? user : {})),
  );
  const shownWith = (dialog: ReactNode) => (
    <>
      <OutcomeToasts />
      {dialog}
    </>
  );
  const { client, container, show, press, unmount } = await mountPart(
    shownWith(<UserDialog name="eve" onClose={() => {}} />),
  );
  await waitFor(() => expect(container.textContent).toContain(t.operator.actions.disable));
  await press(t.operator.actions.disable);
  await press(t.operator.actions.disable);
  await waitFor(() => expect(client.isMutating()).toBe(1));
  if (is === 'closed') await show(shownWith(null));
  reject(new TypeError('Failed to fetch'));
  await waitFor(() => expect(client.isMutating()).toBe(0));
  await waitFor(() => expect(container.querySelector('.toasts')!.textContent).toBe(notice));
  await unmount();
});

test('an action whose question was closed while it was sent closes no other question, and is said to be done', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'POST' ? promise : Promise.resolve(Response.json(path.includes('/users/') ? user : {})),
  );
  const { client, container, press, unmount } = await mountPart(<UserDialog name="eve" onClose={() => {}} />);
  await waitFor(() => expect(container.textContent).toContain(t.operator.actions['sign-out']));
  await press(t.operator.actions['sign-out']);
  await press(t.operator.actions['sign-out']);
  await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await press(t.shell.kit.close);
  await press(t.operator.link.open);
  const title = () => container.querySelector('dialog h2')?.textContent;
  const before = title();
  await act(async () => resolve(Response.json({})));
  await waitFor(() => expect(client.isMutating()).toBe(0));
  await waitFor(() => expect(container.textContent).toContain(t.operator.done['sign-out']('eve')));
  expect(title()).toBe(before);
  expect(before).not.toBe('eve');
  await unmount();
});

test('before a user is disabled, what stops is listed, with the numbers', async () => {
  const used = { ...quotas, keys: { used: 2, allowed: 10 }, device_keys: { used: 3, allowed: 10 } };
  const eve = { ...user, quotas: { ...used, swarms: { used: 1, allowed: 10 } } };
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(Response.json(path.includes('/users/') ? eve : {})));
  const { container, press, unmount } = await mountPart(<UserDialog name="eve" onClose={() => {}} />);
  await waitFor(() => expect(container.textContent).toContain(t.operator.actions.disable));
  await press(t.operator.actions.disable);
  const say = t.operator.ask.disable;
  const lines = [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(lines).toEqual([
    say.sessions(1),
    say.keys(5),
    say.devices(3),
    say.swarms,
    say.links,
    say.notices,
    say.actions,
  ]);
  expect(container.textContent).toContain(say.stays);
  await unmount();
});
