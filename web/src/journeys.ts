/**
 * The entry of the build for the journeys (e2e/mounted-page.ts), which the product's build does not have. It mounts the
 * app again where a browser would load it again: that takes about half of the processor time.
 */
import './ui/tokens.css';
import './ui/reset.css';
import './ui/layout.css';
import './ui/pages/page.css';
import './ui/dialogs/floating.css';
import { forgetPage } from './data/new-page.ts';
import { preparePage, startApp } from './app/start.tsx';
import { hasUnsavedInput } from './ui/fields/unsaved-input.ts';
import { language } from './text/language.ts';

declare global {
  interface Window {
    journeys: {
      /** Opens a URL as a new page. */
      open(url: string): Promise<void>;
      /** Opens the page again, as a reload does. */
      reload(): Promise<void>;
      /** Ends the app. The page is then empty. */
      close(): Promise<void>;
      hasUnsavedInput(): boolean;
    };
  }
}

let end = () => {};
/** Counts the pages that were opened. */
let page = 0;
/** The page of each entry of the history, by its key. */
const pageOf = new Map<string, number>();
const noteEntry = () => {
  const { key } = navigation.currentEntry!;
  if (!pageOf.has(key)) pageOf.set(key, page);
};

/** Pages are opened one after the other, because ending one takes a moment. */
let opening = Promise.resolve();
function show(enter: () => number | null): Promise<void> {
  opening = opening.then(async () => {
    end();
    end = () => {};
    // React runs the cleanups of effects after the unmount
    await new Promise((resolve) => setTimeout(resolve));
    document.body.replaceChildren();
    forgetPage();
    const root = document.documentElement;
    root.hidden = false;
    for (const { name } of Array.from(root.attributes)) if (name.startsWith('data-')) root.removeAttribute(name);
    const shown = enter();
    if (shown === null) return;
    page = shown;
    const element = document.createElement('div');
    element.id = 'root';
    document.body.append(element);
    scrollTo(0, 0);
    end = startApp(element);
  });
  return opening;
}

const openNew = (go: () => void) =>
  show(() => {
    go();
    page += 1;
    pageOf.set(navigation.currentEntry!.key, page);
    forgetPage();
    return page;
  });

window.journeys = {
  open: (url) => openNew(() => history.pushState(null, '', url)),
  reload: () => openNew(() => {}),
  close: () => show(() => null),
  hasUnsavedInput,
};

navigation.addEventListener('currententrychange', noteEntry);
addEventListener(
  'popstate',
  (event) => {
    const known = pageOf.get(navigation.currentEntry!.key);
    if (known === undefined || known === page) return;
    // Back to another page: a browser would load it
    event.stopImmediatePropagation();
    void show(() => known);
  },
  { capture: true },
);
/** The texts are those of the language in which the document was loaded. */
const isOtherLanguage = ({ searchParams }: URL) =>
  searchParams.has('lang') || (localStorage.getItem('lang') ?? language) !== language;
const isOfServer = ({ pathname }: URL) => /^\/(docs|service|api|auth|assets|journeys)(\/|$)/.test(pathname);
// What the app leaves by `location` or by a link without a handler.
navigation.addEventListener('navigate', (event) => {
  const url = new URL(event.destination.url);
  if (!event.canIntercept || event.destination.sameDocument || event.downloadRequest !== null) return;
  if (!isOfServer(url) && !isOtherLanguage(url)) event.intercept({ handler: () => openNew(() => {}) });
});

preparePage();
