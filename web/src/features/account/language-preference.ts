import { languages } from '../../text/text.ts';
import { createPreference, readStored } from '../../ui/browser/preference.ts';

/** `public/boot.js` reads it before the first paint. */
export const languagePreference = createPreference({ key: 'lang', values: ['system', ...languages] });

/** Loads the page again in the new language. */
export function chooseLanguage(choice: string): void {
  languagePreference.set(choice);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  // Without storage, the language lasts as long as the page.
  if (choice !== 'system' && readStored('lang') !== choice) url.searchParams.set('lang', choice);
  location.replace(url);
}
