import { localeOf } from '../language.ts';

const rules = new Intl.PluralRules('de');
const number = new Intl.NumberFormat(localeOf('de'));

/** `plural(2, { one: '# Gerät', other: '# Geräte' })` is `2 Geräte`. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return (rules.select(count) === 'one' ? forms.one : forms.other).replace('#', number.format(count));
}

export const deviceCount = (count: number) => plural(count, { one: '# Gerät', other: '# Geräte' });
export const swarmCount = (count: number) => plural(count, { one: '# Schwarm', other: '# Schwärme' });
/** After a preposition with the dative case: `aus 2 Schwärmen`. */
export const swarmCountDative = (count: number) => plural(count, { one: '# Schwarm', other: '# Schwärmen' });
export const memberCount = (count: number) => plural(count, { one: '# Mitglied', other: '# Mitglieder' });
export const invitationCount = (count: number) => plural(count, { one: '# Einladung', other: '# Einladungen' });
export const rowCount = (count: number) => plural(count, { one: '# Zeile', other: '# Zeilen' });
