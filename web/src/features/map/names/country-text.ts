import type { CountryName } from '../basemap/world.ts';

/** The app's language, which `public/boot.js` sets on `<html>`. */
const language = validLanguage(globalThis.document?.documentElement.lang);
const names = namesIn(language);

/** The tag, or English if it is not a valid one: a browser that starts with `LANG=C` reports `C`. */
export function validLanguage(tag: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function namesIn(tag: string): Intl.DisplayNames | null {
  // The names of the atlas are in English and abbreviated for maps.
  if (tag.startsWith('en')) return null;
  return new Intl.DisplayNames(tag, { type: 'region', style: 'short', fallback: 'none' });
}

const texts = new Map<string, string>();

/** A country's name in capitals, in the app's language if the browser knows it. */
export function countryText({ name, code }: CountryName): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = ((code !== '' && names?.of(code)) || name).toLocaleUpperCase(language);
  texts.set(name, text);
  return text;
}
