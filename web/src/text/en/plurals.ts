const rules = new Intl.PluralRules('en');

/** `plural(2, { one: 'device', other: 'devices' })` is `devices`. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return rules.select(count) === 'one' ? forms.one : forms.other;
}

const spelling: Record<number, string> = { 1: 'one', 2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six', 7: 'seven' };
export const spelled = (count: number, text: string) => spelling[count] ?? text;
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
export const memberCount = (count: number, text: string) =>
  `${text} ${plural(count, { one: 'member', other: 'members' })}`;
export const invitationCount = (count: number, text: string) =>
  `${text} ${plural(count, { one: 'invitation', other: 'invitations' })}`;
