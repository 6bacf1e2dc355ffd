/** SQL that counts in `usage` how many of each kind a user has, which the quotas compare. */
import type { RowName } from './trigger.ts';

/** `owner`: the column with the user. `when`: an SQL condition. */
interface Counted {
  owner?: string;
  when?: string;
}

export const countUp = (kind: string, row: RowName, { owner = 'user_id', when = 'true' }: Counted = {}) =>
  `INSERT INTO usage SELECT ${row}."${owner}", '${kind}', 1 WHERE ${when}
         ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + 1;`;

export const countDown = (kind: string, row: RowName, { owner = 'user_id', when = 'true' }: Counted = {}) =>
  `UPDATE usage SET amount = amount - 1 WHERE user_id = ${row}."${owner}" AND kind = '${kind}' AND ${when};`;
