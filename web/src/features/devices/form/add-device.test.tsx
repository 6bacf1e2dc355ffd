import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { KeysProvider } from '../../../ui/keys-provider.tsx';
import { NowProvider } from '../../../ui/time.tsx';
import { ToastProvider } from '../../../ui/toast.tsx';
import { AddDevice } from './add-device.tsx';

beforeAll(() => loadTexts('en'));
afterEach(() => sessionStorage.clear());

test.each([
  ['import', 'Buoy', true],
  ['phone', 'Buoy', true],
  ['import', '', false],
] as const)('the link "%s" says that what was typed stays (name "%s": %s)', async (link, name, isSaid) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  sessionStorage.setItem('draft:device:undefined', JSON.stringify({ name }));
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <ToastProvider>
            <KeysProvider>
              <NowProvider>
                <AddDevice fill={{}} onClose={() => undefined} onAdded={() => undefined} />
              </NowProvider>
            </KeysProvider>
          </ToastProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  const { stored, [link]: text } = t.device.add_dialog;
  await act(async () => [...container.querySelectorAll('a')].find((each) => each.textContent === text)!.click());
  expect(container.textContent.includes(stored)).toBe(isSaid);
  await act(async () => root.unmount());
  container.remove();
});
