import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { KeysProvider } from '../../ui/keys-provider.tsx';
import { HistoryRouter } from '../../ui/router.tsx';
import { NowProvider } from '../../ui/time.tsx';
import { PhoneDialog } from './phone-dialog.tsx';

test('who cancels goes back to the page that has asked for it', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const container = document.createElement('div');
  const root = createRoot(container);
  const closed = vi.fn<() => void>();
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <HistoryRouter>
          <KeysProvider>
            <NowProvider>
              <PhoneDialog from="/join/code" onClose={closed} />
            </NowProvider>
          </KeysProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  const cancel = [...container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel')!;
  await act(async () => cancel.click());
  expect(closed).toHaveBeenCalledOnce();
  expect(location.pathname).toBe('/join/code');
  await act(async () => root.unmount());
});
