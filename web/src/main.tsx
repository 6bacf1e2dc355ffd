import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/reset.css';
import './ui/layout.css';
import './ui/page.css';
import './ui/floating.css';
import { App } from './app/app.tsx';
import { unreachableQueries } from './api/unreachable.ts';
import { createQueryClient } from './app/query-client.ts';
import { preloadPage } from './app/routes.tsx';
import { accountQuery } from './features/account/account.api.ts';
import { remembered } from './features/account/sign-in/session-tabs.ts';
import { completeTexts } from './text/text.ts';
import { keepFocusInView } from './ui/focus-in-view.ts';
import { loadPartsWith, preloadAll } from './ui/lazy.tsx';
import { ignoreStraySecondClicks } from './ui/second-click.ts';
import { followKeyboard } from './ui/on-screen-keyboard.ts';
import { followTheme } from './ui/theme-button.tsx';

loadPartsWith(completeTexts);
const client = createQueryClient();
const loading = preloadPage();
if (remembered.get() === 'yes') void client.prefetchQuery(accountQuery);

followTheme();
ignoreStraySecondClicks(document);
followKeyboard();
keepFocusInView();
// long after the first page has loaded, and only while the server answers
const preloading = setInterval(() => {
  if (unreachableQueries(client).length > 0) return;
  clearInterval(preloading);
  preloadAll();
}, 20_000);

// no top-level await: pages import from this file, so both would wait for each other
void loading.then(() => {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
});
