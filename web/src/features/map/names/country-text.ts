import type { CountryName } from '../basemap/world.ts';

/** The reader's own, not the app's: a map is read in any language. */
const language = globalThis.navigator?.language ?? 'en';
const names = namesIn(language);

function namesIn(tag: string): Intl.DisplayNames | null {
  // the atlas is in English, and shortens for maps
  if (tag.startsWith('en')) return null;
  try {
    return new Intl.DisplayNames(tag, { type: 'region', style: 'short', fallback: 'none' });
  } catch {
    return null;
  }
}

const texts = new Map<string, string>();

/** A country's name as a map writes it: in the reader's language where the browser knows it, in capitals. */
export function countryText({ name, code }: CountryName): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = ((code !== '' && names?.of(code)) || name).toLocaleUpperCase(language);
  texts.set(name, text);
  return text;
}
