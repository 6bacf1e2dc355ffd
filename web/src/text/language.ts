/** Languages that a user can choose, by their own names. */
export const languageNames = { en: 'English', de: 'Deutsch' };

export type ChosenLanguage = keyof typeof languageNames;

/** `en-XR` is a pseudo language for tests: every word is reversed and written right to left. */
export type Language = ChosenLanguage | 'en-XR';

/** The language of this page. `public/boot.js` sets it on `<html>` before the first paint. */
export const language: Language = languageOf(globalThis.document?.documentElement.lang ?? '');

function languageOf(tag: string): Language {
  return tag === 'en-XR' || tag === 'de' ? tag : 'en';
}

/** The locale for dates and numbers: the user's own region of `language` if the browser names one. */
export function localeOf(language: Language): string {
  const [base] = language.split('-') as [ChosenLanguage];
  const fallback = { en: 'en-GB', de: 'de-DE' }[base];
  return globalThis.navigator?.languages?.find((tag) => tag.startsWith(`${base}-`)) ?? fallback;
}

const storageKey = 'lang';

/** The user's choice. Undefined means the system's default. */
export function chosenLanguage(): ChosenLanguage | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'en' || stored === 'de' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the choice and loads the page again in the new language. */
export function chooseLanguage(choice: ChosenLanguage | undefined): void {
  if (choice === undefined) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  location.replace(url);
}
