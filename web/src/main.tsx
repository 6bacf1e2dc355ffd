import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/base.css';
import { App } from './app/app.tsx';
import { createQueryClient } from './app/query-client.ts';
import { preload } from './app/router.tsx';
import { loadTexts } from './text/text.ts';
import { loadRest } from './ui/lazy-part.tsx';
import { ignoreStraySecondClicks } from './ui/second-click.ts';
import { followKeyboard } from './ui/on-screen-keyboard.ts';
import { followTheme } from './ui/theme.ts';

preload(location.pathname);
followTheme();
ignoreStraySecondClicks(document);
followKeyboard();
// long after the first page has come
setTimeout(loadRest, 20_000);

void loadTexts().then(() => {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App client={createQueryClient()} />
    </StrictMode>,
  );
});
