import { localeOf } from '../language.ts';

const rules = new Intl.PluralRules('en');
const number = new Intl.NumberFormat(localeOf('en'));

/** `plural(2, { one: '# device', other: '# devices' })` is `2 devices`. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return (rules.select(count) === 'one' ? forms.one : forms.other).replace('#', number.format(count));
}

export const deviceCount = (count: number) => plural(count, { one: '# device', other: '# devices' });
export const swarmCount = (count: number) => plural(count, { one: '# swarm', other: '# swarms' });
export const memberCount = (count: number) => plural(count, { one: '# member', other: '# members' });
export const invitationCount = (count: number) => plural(count, { one: '# invitation', other: '# invitations' });
export const rowCount = (count: number) => plural(count, { one: '# row', other: '# rows' });
