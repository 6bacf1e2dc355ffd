/** A pseudo language for tests: every word is reversed and written right to left. */
export const pseudoLanguage = 'en-XR';

/** The language of this page. `public/boot.js` sets it on `<html>` before the first paint. */
export const language = globalThis.document?.documentElement.lang || 'en';

/** Whether the page is laid out from right to left. `public/boot.js` sets its direction. */
export const isRightToLeft = globalThis.document?.documentElement.dir === 'rtl';

/** The locale for dates and numbers: the user's own region of `language` if the browser names one. */
export function localeOf(language: string): string {
  const [base] = language.split('-') as [string];
  // Intl's own dates for English without a region are those of the United States
  const fallback = base === 'en' ? 'en-GB' : base;
  return globalThis.navigator?.languages?.find((tag) => tag.startsWith(`${base}-`)) ?? fallback;
}

/** Whether distances are in miles, because the user's region is the United States. */
export const isImperial = localeOf(language).endsWith('-US');

/** The function `plural` of a language: `plural(2, { one: '# device', other: '# devices' })` is `2 devices`. */
export function createPlural(language: string) {
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(localeOf(language));
  return (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string =>
    (forms[rules.select(count)] ?? forms.other).replace('#', number.format(count));
}

/** The name of a language, by default in itself: `Deutsch`. */
export function languageName(name: string, inLanguage = name): string {
  return new Intl.DisplayNames(inLanguage, { type: 'language' }).of(name) ?? name;
}
