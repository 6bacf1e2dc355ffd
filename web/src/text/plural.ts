const rules = new Intl.PluralRules('en');

/** `plural(2, { one: 'device', other: 'devices' })` is `devices`. English; each language file brings its own rules. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return rules.select(count) === 'one' ? forms.one : forms.other;
}
