/** For tests of a part of the app, mounted below the providers that the app has around all pages. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import { KeysProvider } from './keys/keys-provider.tsx';
import { HistoryRouter } from './urls/router.tsx';
import { NowProvider } from './texts/time.tsx';
import { ToastProvider } from './toasts/toast.tsx';

/** What jsdom lacks: dialogs, scrolling, changes of sizes, and sizes of the screen, of which no query matches. */
export function stubBrowser() {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Object.assign(HTMLElement.prototype, { scrollTo: () => {}, scrollBy: () => {} });
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
}

/** Mounts a part of the app. */
export async function mountPart(part: ReactNode, client = new QueryClient()) {
  stubBrowser();
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const show = (next: ReactNode) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <HistoryRouter>
            <KeysProvider>
              <NowProvider>
                <ToastProvider>{next}</ToastProvider>
              </NowProvider>
            </KeysProvider>
          </HistoryRouter>
        </QueryClientProvider>,
      ),
    );
  await show(part);
  return {
    client,
    container,
    /** Renders the part with other props. */
    show,
    /** Presses the button with this text. */
    press: (label: string) =>
      act(async () =>
        [...container.querySelectorAll('button')].find(({ textContent }) => textContent === label)!.click(),
      ),
    /** Adds text to the first field of the dialog. */
    async type(text: string) {
      const field = container.querySelector<HTMLInputElement>('dialog input')!;
      await act(async () => {
        field.setRangeText(text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
    },
    submit: () =>
      act(async () =>
        container.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })),
      ),
    async unmount() {
      await act(async () => root.unmount());
      container.remove();
      client.clear();
    },
  };
}
