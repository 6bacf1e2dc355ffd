import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { Dialog } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { CollectTyped, KeysProvider } from '../keys/keys-provider.tsx';
import { ToastProvider } from '../toasts/toast.tsx';
import { discardUnsavedInput, followInput } from '../fields/unsaved-input.ts';

const onClose = vi.fn<() => void>();
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = () => undefined;
  onClose.mockClear();
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

function Named() {
  const [name, setName] = useState('');
  return (
    <Dialog title="Add device" onClose={onClose}>
      <input data-autofocus value={name} onChange={(event) => setName(event.target.value)} />
      <output>{name}</output>
    </Dialog>
  );
}

const render = (loaded: boolean) =>
  act(async () => root.render(<KeysProvider>{loaded ? <Named /> : <CollectTyped />}</KeysProvider>));
const fire = (target: Element | null, event: Event) => act(async () => target?.dispatchEvent(event));
const pointerDown = () => new Event('pointerdown', { bubbles: true });
const click = () => new MouseEvent('click', { bubbles: true, cancelable: true });

test('text that is typed while the dialog loads is in its first field', async () => {
  await render(false);
  for (const key of ['I', 'g', 'l', 'o', 'o']) {
    await fire(document.body, new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
  await render(true);
  expect(document.querySelector('output')?.textContent).toBe('Igloo');
});

test('a field does not take what is typed while a dialog loads, and has the focus when the dialog opens', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  await render(false);
  expect(document.activeElement).toBe(document.body);
  const returned = vi.fn<() => void>();
  HTMLDialogElement.prototype.showModal = function showModal() {
    if (document.activeElement === field) returned();
    this.open = true;
  };
  await render(true);
  expect(returned).toHaveBeenCalledOnce();
});

test('a tap on the scrim closes with its click, so that it presses nothing below', async () => {
  await render(true);
  const scrim = document.querySelector('dialog');
  await fire(scrim, pointerDown());
  expect(onClose).not.toHaveBeenCalled();
  await fire(scrim, click());
  expect(onClose).toHaveBeenCalledOnce();
});

test('a dialog that the browser has closed is open again, unless it is removed', async () => {
  await render(true);
  const dialog = document.querySelector('dialog')!;
  dialog.open = false;
  await fire(dialog, new Event('close'));
  expect(dialog.open).toBe(true);
});

test('a drag that began inside and ends on the scrim does not close', async () => {
  await render(true);
  await fire(document.querySelector('input'), pointerDown());
  await fire(document.querySelector('dialog'), click());
  expect(onClose).not.toHaveBeenCalled();
});

test('Esc asks before it discards what was typed, and closes while that is being sent, as Close does', async () => {
  followInput(document);
  const client = new QueryClient();
  const renderForm = (busy: boolean) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <KeysProvider>
            <ToastProvider>
              <FormDialog title="Name" busy={busy} errors={{}} onSubmit={() => {}} onClose={onClose}>
                <input />
              </FormDialog>
            </ToastProvider>
          </KeysProvider>
        </QueryClientProvider>,
      ),
    );
  const escape = () =>
    fire(
      document.querySelector('dialog'),
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
    );
  const asks = () => document.body.textContent.includes(t.shell.kit.discard_title);
  await renderForm(true);
  const field = document.querySelector('input')!;
  await fire(field, new Event('beforeinput', { bubbles: true }));
  field.value = 'Igloo';
  await escape();
  await fire(document.querySelector('dialog'), new Event('cancel', { cancelable: true }));
  expect(asks()).toBe(false);
  expect(onClose).toHaveBeenCalledTimes(2);
  expect(document.body.textContent).toContain(t.shell.sending.is_sent);
  await renderForm(false);
  await escape();
  expect(asks()).toBe(true);
  discardUnsavedInput();
});

test('while a dialog has typed text, the browser asks before it loads the page again', async () => {
  followInput(document);
  await render(true);
  const leave = async () => {
    const event = new Event('beforeunload', { cancelable: true });
    await act(async () => window.dispatchEvent(event));
    return event.defaultPrevented;
  };
  await expect(leave()).resolves.toBe(false);
  const field = document.querySelector('input')!;
  await fire(field, new Event('beforeinput', { bubbles: true }));
  field.value = 'Igloo';
  await expect(leave()).resolves.toBe(true);
  discardUnsavedInput();
});
