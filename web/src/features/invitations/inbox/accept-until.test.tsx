import type { InvitationItem } from '@swarmdeck/bff/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { KeysProvider } from '../../../ui/keys/keys-provider.tsx';
import { Offline } from '../../../ui/browser/offline.ts';
import { ToastProvider } from '../../../ui/toasts/toast.tsx';
import { NowProvider } from '../../../ui/texts/time.tsx';
import { AcceptUntil } from './accept-until.tsx';
import { formatEnd } from '../../../shared/ends/until-date.tsx';

const now = Date.parse('2026-11-20T12:00:00Z');
const item = { resource_id: 'd', swarm: { id: 's', name: 'Harbour' } };
let root: Root;
let container: HTMLElement;

beforeAll(() => loadTexts('en'));
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ toFake: ['Date'], now });
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Tries to accept until a date, without one. */
async function accept(ends_at?: string) {
  const onAccept = vi.fn<(endsAt: string) => void>();
  await act(async () =>
    root.render(
      <KeysProvider>
        <NowProvider>
          <QueryClientProvider client={new QueryClient()}>
            <ToastProvider>
              <AcceptUntil
                item={{ ...item, ...(ends_at !== undefined && { ends_at }) } as InvitationItem}
                onAccept={onAccept}
                onClose={() => undefined}
              />
            </ToastProvider>
          </QueryClientProvider>
        </NowProvider>
      </KeysProvider>,
    ),
  );
  const select = container.querySelector('select')!;
  await act(async () => {
    select.value = 'date';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await act(async () => container.querySelector<HTMLElement>('button[type=submit]')!.click());
  expect(onAccept).not.toHaveBeenCalled();
}

test('an impossible end is refused with the limit that it has', async () => {
  await accept();
  expect(container.textContent).toContain(t.ends.wrong);
  await accept('2026-11-21T12:00:00Z');
  expect(container.textContent).toContain(t.ends.wrong_latest(formatEnd('2026-11-21T12:00:00Z', now)));
});

test('without a network, the answer until an end is given too: it waits', async () => {
  const onAccept = vi.fn<(endsAt: string) => void>();
  await act(async () =>
    root.render(
      <Offline value={{ reason: 'offline', explain: () => undefined }}>
        <KeysProvider>
          <NowProvider>
            <QueryClientProvider client={new QueryClient()}>
              <ToastProvider>
                <AcceptUntil item={item as InvitationItem} onAccept={onAccept} onClose={() => undefined} />
              </ToastProvider>
            </QueryClientProvider>
          </NowProvider>
        </KeysProvider>
      </Offline>,
    ),
  );
  await act(async () => container.querySelector<HTMLElement>('button[type=submit]')!.click());
  expect(onAccept).toHaveBeenCalledWith('2026-11-20T13:00:00.000Z');
});
