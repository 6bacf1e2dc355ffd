import { languages } from '../../text/text.ts';
import { createPreference } from '../../ui/preference.ts';

/** `public/boot.js` reads it before the first paint. */
export const languagePreference = createPreference({ key: 'lang', values: ['system', ...languages] });

/** Loads the page again in the new language. */
export function chooseLanguage(choice: string): void {
  languagePreference.set(choice);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  location.replace(url);
}
