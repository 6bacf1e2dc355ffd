import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { restoreAddress } from '../data/network-page.ts';
import { unlessItHangs } from '../data/unless-it-hangs.ts';
import { unreachableQueries } from '../data/unreachable.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { remembered } from '../shared/account/session-tabs.ts';
import { loadTexts } from '../text/text.ts';
import { keepFocusInView } from '../ui/browser/focus-in-view.ts';
import { preloadAll } from '../ui/pages/lazy.tsx';
import { followKeyboard } from '../ui/fields/on-screen-keyboard.ts';
import { ignoreStraySecondClicks } from '../ui/buttons/second-click.ts';
import { followInput } from '../ui/fields/unsaved-input.ts';
import { followTheme } from '../ui/buttons/theme-button.tsx';
import { App } from './app.tsx';
import { createQueryClient } from './query-client.ts';
import { preloadPage } from './routes.tsx';
import { openOutbox } from './unreachable-notice.tsx';
import { limitTrustedTypes } from './trusted-types.ts';

/** Prepares the document. Call it once. */
export function preparePage(): void {
  limitTrustedTypes();
  restoreAddress();
  followTheme();
  ignoreStraySecondClicks(document);
  followKeyboard();
  followInput(document);
  keepFocusInView();
}

/** Shows the page of the URL in `element`. Returns a function that ends the app. */
export function startApp(element: HTMLElement): () => void {
  let hasEnded = false;
  const client = createQueryClient();
  // Only a page that a service worker serves may have to do without the server.
  const restoring =
    navigator.serviceWorker?.controller &&
    import('./stored-data.ts')
      .then(({ restoreData, userWithWaiting }) =>
        Promise.all([restoreData(client), unlessItHangs(userWithWaiting().then(openOutbox))]),
      )
      .catch(() => {});
  const loading = Promise.all([loadTexts(), preloadPage(), restoring]);
  if (remembered.get() === 'yes') void client.prefetchQuery(accountQuery);
  // Only tests and tools, which drive the browser, need it.
  const marking = navigator.webdriver
    ? import('./ready-mark.ts').then(({ markWhenReady }) => (hasEnded ? undefined : markWhenReady(client)))
    : undefined;
  // long after the first page has loaded, and only while the server answers: without a session, nobody can use most of it
  const preloading = setInterval(() => {
    if (!client.getQueryData(accountQuery.queryKey) || unreachableQueries(client).length > 0) return;
    clearInterval(preloading);
    preloadAll();
  }, 20_000);
  const root = createRoot(element);
  // no top-level await: in the build, pages import from this file, so both would wait for each other
  void loading.then(() => {
    if (hasEnded) return;
    root.render(
      <StrictMode>
        <App client={client} />
      </StrictMode>,
    );
  });
  return () => {
    hasEnded = true;
    clearInterval(preloading);
    void marking?.then((unmark) => unmark?.());
    root.unmount();
    void client.cancelQueries();
    client.clear();
  };
}
