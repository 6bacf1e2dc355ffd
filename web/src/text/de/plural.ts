import { createPlural } from '../language.ts';

export const plural = createPlural('de');

export const deviceCount = (count: number) => plural(count, { one: '# Gerät', other: '# Geräte' });
export const swarmCount = (count: number) => plural(count, { one: '# Schwarm', other: '# Schwärme' });
/** After a preposition with the dative case: `aus 2 Schwärmen`. */
export const swarmCountDative = (count: number) => plural(count, { one: '# Schwarm', other: '# Schwärmen' });
export const memberCount = (count: number) => plural(count, { one: '# Mitglied', other: '# Mitglieder' });
export const invitationCount = (count: number) => plural(count, { one: '# Einladung', other: '# Einladungen' });
export const rowCount = (count: number) => plural(count, { one: '# Zeile', other: '# Zeilen' });
export const userCountDative = (count: number) => plural(count, { one: '# Benutzer', other: '# Benutzern' });
