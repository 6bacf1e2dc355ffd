import type { Resource } from '@swarmdeck/bff/contract';
import { useMutation } from '@tanstack/react-query';
import { act, useState, type ReactNode } from 'react';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { HandOverDialog } from '../features/devices/device/hand-over.tsx';
import { Connect } from '../features/keys/connect.tsx';
import { PasswordLinkDialog } from '../features/operator/password-link.tsx';
import { CreateShareLink } from '../features/share-links/create-share-link.tsx';
import { CreateSwarm } from '../features/swarms/create-swarm.tsx';
import { CreateLink } from '../features/swarms/links/create-link.tsx';
import { loadTexts, t } from '../text/text.ts';
import { ConfirmDialog, LeaveDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { OutcomeToasts } from '../ui/toasts/outcome-toasts.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';

const device = { id: 'd', name: 'Gate' } as Resource;
const created = { id: 'k', name: 'Gate', key: 'sk_secret', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z' };
const expires_at = '2026-12-24T10:00:00Z';
const rights = { sends: true, receives: false };
const nothing = () => undefined;

function Revoke({ onClose }: { onClose(): void }) {
  const revoke = useMutation({ mutationFn: () => fetch('/api/key', { method: 'DELETE' }) });
  return (
    <ConfirmDialog
      title="Revoke it?"
      description=""
      confirm="Revoke"
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}

interface Kind {
  name: string;
  dialog(onClose: () => void): ReactNode;
  /** Instead of the form's submit. */
  confirm?: string;
  /** What is typed into the first field. */
  typed?: string;
  answer: unknown;
  outcome: string;
  /** The button of the toast. */
  action?: string;
  /** What it shows. */
  shown?: string;
}

const kinds: (texts: typeof t) => Kind[] = ({ shell, account, handover, share_links }) => [
  {
    name: 'Hand over',
    dialog: (onClose) => <HandOverDialog device={device} user_id="ann" onClose={onClose} />,
    typed: 'emil',
    answer: {},
    outcome: handover.offered.replace('{user}', 'emil'),
    action: shell.kit.undo,
  },
  {
    name: 'Create a swarm',
    dialog: (onClose) => <CreateSwarm name="River" onClose={onClose} onCreated={nothing} />,
    answer: { id: 's', name: 'River' },
    outcome: t.swarms.create.created.replace('{name}', 'River'),
    action: shell.sending.open,
  },
  {
    name: 'Connect a device',
    dialog: (onClose) => <Connect device={device} rights={rights} AddToSwarm={() => null} onClose={onClose} />,
    answer: created,
    outcome: account.keys.ready('Gate'),
    action: shell.sending.show,
    shown: 'sk_secret',
  },
  {
    name: 'Create a link that shows a device',
    dialog: (onClose) => (
      <CreateShareLink
        of={{ resource_id: 'd' }}
        device={{ name: 'Gate', keep_track: false }}
        NewLink={({ link }) => link.url}
        onClose={onClose}
        onCreated={nothing}
      />
    ),
    typed: 'Fair',
    answer: { id: 'l', name: 'Fair', url: 'https://link', expires_at },
    outcome: share_links.created_title.replace('{name}', 'Fair'),
    action: shell.sending.show,
    shown: 'https://link',
  },
  {
    name: 'Create a link to join',
    dialog: (onClose) => <CreateLink swarm_id="s" onClose={onClose} onCreated={nothing} />,
    typed: 'Fair',
    answer: { id: 'l' },
    outcome: shell.sending.done,
  },
  {
    name: 'A link for a new password',
    dialog: (onClose) => <PasswordLinkDialog name="eve" onClose={onClose} />,
    confirm: t.operator.link.submit,
    answer: { url: 'https://link', expires_at },
    outcome: t.operator.link.title('eve'),
    action: shell.sending.show,
    shown: t.operator.link.is_stored,
  },
  {
    name: 'A question',
    dialog: (onClose) => <Revoke onClose={onClose} />,
    confirm: 'Revoke',
    answer: {},
    outcome: shell.sending.done,
  },
];

function Page({ dialog }: Pick<Kind, 'dialog'>) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <OutcomeToasts />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

/** The server answers nothing until `answer`, or until the connection is `lost`. */
function hangingServer() {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'GET' ? new Promise(() => {}) : promise,
  );
  return {
    answer: (body: unknown) => act(async () => resolve(Response.json(body))),
    refuse: () => act(async () => resolve(Response.json({ status: 409, code: 'swarm.changed' }, { status: 409 }))),
    lose: () => act(async () => reject(new TypeError('Failed to fetch'))),
  };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterAll(() => loadTexts('en'));

for (const language of ['en', 'de'] as const) {
  await loadTexts(language);
  for (const { name, dialog, confirm, typed, ...kind } of kinds(t)) {
    for (const by of ['Close', 'Escape'] as const) {
      test(`${language}: "${name}", closed by ${by} while it is sent, says so, and then what has become of it`, async () => {
        await loadTexts(language);
        const { answer } = hangingServer();
        const { container, press, type, submit, unmount } = await mountPart(<Page dialog={dialog} />);
        const toasts = () => container.querySelector('.toasts')!.textContent;
        if (typed !== undefined) await type(typed);
        await (confirm === undefined ? submit() : press(confirm));
        await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
        expect(container.querySelector('.dialog-foot')!.textContent).not.toContain(t.shell.kit.cancel);
        if (by === 'Close') await press(t.shell.kit.close);
        else {
          const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
          await act(async () => container.querySelector('dialog')!.dispatchEvent(escape));
        }
        expect(container.querySelector('dialog')).toBeNull();
        expect(toasts()).not.toBe('');
        const said = toasts();
        await answer(kind.answer);
        await waitFor(() => expect(toasts()).toContain(kind.outcome));
        expect(toasts()).not.toContain(said);
        expect(toasts()).toContain(kind.action ?? '');
        if (kind.shown !== undefined) {
          await press(t.shell.sending.show);
          expect(container.textContent).toContain(kind.shown);
        }
        await unmount();
      });
    }
  }
}

test.each([
  { is: 'failed', reason: () => t.shell.sending.failed },
  { is: 'may have been made', reason: () => t.shell.unconfirmed },
])('a dialog that was closed while it was sent is named by the toast that its change $is', async ({ is, reason }) => {
  await loadTexts('en');
  const { refuse, lose } = hangingServer();
  const dialog = (onClose: () => void) => <CreateSwarm name="River" onClose={onClose} onCreated={nothing} />;
  const { container, press, submit, unmount } = await mountPart(<Page dialog={dialog} />);
  await submit();
  await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
  const title = container.querySelector('dialog h2')!.textContent;
  await press(t.shell.kit.close);
  await (is === 'failed' ? refuse() : lose());
  const toasts = container.querySelector('.toasts')!;
  await waitFor(() => expect(toasts.textContent).toContain(`${title}${reason()}. `));
  await unmount();
});

test.each([
  { kind: 'saved', outcome: () => t.leaving.saved },
  { kind: 'waits', outcome: () => t.leaving.waits },
  { kind: 'conflict', outcome: () => t.leaving.conflict },
])('a page that is left while it is being saved says that it was sent, and then that it is "$kind"', async (result) => {
  await loadTexts('en');
  const { promise, resolve } = Promise.withResolvers<unknown>();
  function Form({ onLeave }: { onLeave(): void }) {
    const save = useMutation({ mutationFn: () => promise });
    const guard = { isAsking: true, stay: nothing, leave: onLeave, release: nothing };
    const onSave = async () => (await save.mutateAsync()) !== undefined;
    return <LeaveDialog guard={guard} words={t.leaving} count={1} onSave={onSave} isSaving={save.isPending} />;
  }
  const { container, press, unmount } = await mountPart(<Page dialog={(leave) => <Form onLeave={leave} />} />);
  expect(container.textContent).toContain(t.leaving.leave);
  await press(t.leaving.save);
  await waitFor(() => expect(container.querySelector('dialog')!.textContent).toContain(t.leaving.sent_text));
  expect(container.textContent).not.toContain(t.leaving.leave);
  await press(t.leaving.leave_sent);
  const toasts = container.querySelector('.toasts')!;
  expect(toasts.textContent).toBe(t.leaving.sent_text);
  await act(async () => resolve({ kind: result.kind }));
  await waitFor(() => expect(toasts.textContent).toContain(result.outcome()));
  expect(toasts.textContent).toContain(t.shell.sending.open);
  await unmount();
});
