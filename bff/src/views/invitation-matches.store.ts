import { invitationStates } from '../contract.ts';
import type { Invitation, InvitationFilters } from '../contract.ts';
import { mayBeginId, searchText, searchWords } from '../store/search-text.ts';
import { allOf, always, join, raw, sql } from '../store/statement.ts';
import type { Sql } from '../store/statement.ts';
import type { Reads } from './caller.ts';

/** The invitations that this user received or sent, or those to one of the caller's swarms. */
export type Scope = { received: string } | { sent: string } | { board: string };

/** Conditions on a row `i` of `invitations`. */
export interface InvitationMatches {
  scope: Sql;
  /** Every filter but the state: what the counts of the states are of. */
  rest: Sql;
  /** `rest` reads each row. Counting reads all rows anyway. */
  searching: boolean;
  /** What `state` asks for: rows of these, in the order of the list, and what holds of them besides. */
  statuses: readonly Invitation['status'][];
  state: Sql;
  /** On a row `r` of `resources` beside it: the caller may see it. */
  seesDevice: string;
}

/** The other side of an invitation, the column by which it is the caller's, and when the caller sees the device. */
function sideOf(scope: Scope) {
  const shared = `EXISTS (SELECT 1 FROM memberships m JOIN swarm_viewers v ON v.swarm_id = m.swarm_id
    WHERE m.resource_id = r.id AND v.user_id = i."from")`;
  if ('received' in scope) {
    return { key: 'i."to"', value: scope.received, other: 'i."from"', seesDevice: 'r.user_id = i."to"' };
  }
  if ('sent' in scope) return { key: 'i."from"', value: scope.sent, other: 'i."to"', seesDevice: shared };
  return { key: 'i.swarm_id', value: scope.board, other: 'i."to"', seesDevice: shared };
}

/** The filters as SQL. The names of swarms are searched here, because the database has no folded copy of them. */
export async function invitationMatchesOf(options: {
  db: Reads;
  scope: Scope;
  filters: InvitationFilters;
  staleBefore: string;
}): Promise<InvitationMatches> {
  const { db, scope, filters, staleBefore } = options;
  const { key, value, other, seesDevice } = sideOf(scope);
  const { state, q, swarm, resource } = filters;
  // few invitations are of one resource, however many a user has
  const own: Sql = sql`${raw(resource === undefined ? key : `${key} || ''`)} = ${value}`;
  const rest: Sql[] = [
    swarm === undefined ? always : sql`i.swarm_id = ${swarm}`,
    resource === undefined ? always : sql`i.resource_id = ${resource}`,
  ];
  const words = searchWords(q ?? '');
  const named = words.length === 0 || 'board' in scope ? [] : await swarmNames({ db, own });
  for (const word of words) {
    const swarms = named.filter(({ text }) => text.includes(word)).map(({ id }) => id);
    rest.push(containing({ word, other, seesDevice, swarms }));
  }
  return { scope: own, rest: allOf(rest), searching: words.length > 0, ...stateOf({ state, staleBefore }), seesDevice };
}

/** The swarms of the caller's invitations, with their names as they are searched. */
async function swarmNames({ db, own }: { db: Reads; own: Sql }) {
  const select = sql`SELECT id, name FROM swarms WHERE id IN (SELECT i.swarm_id FROM invitations i WHERE ${own})`;
  const swarms = await db.read<{ id: string; name: string }>(select);
  return swarms.map(({ id, name }) => ({ id, text: searchText(name) }));
}

/** The word is in the name of the other user, of one of these swarms or of the device, or begins the device's id. */
function containing(options: { word: string; other: string; seesDevice: string; swarms: string[] }): Sql {
  const { word, other, seesDevice, swarms } = options;
  const ways: Sql[] = [
    sql`strpos(${raw(other)}, ${word}) > 0`,
    ...(swarms.length === 0 ? [] : [sql`i.swarm_id IN (SELECT value FROM elements(${JSON.stringify(swarms)}))`]),
    ...(mayBeginId(word) ? [sql`strpos(replace(i.resource_id, '-', ''), ${word}) = 1`] : []),
    sql`EXISTS (SELECT 1 FROM resources r
      WHERE r.id = i.resource_id AND ${raw(seesDevice)} AND strpos(r.name_folded, ${word}) > 0)`,
  ];
  return join(ways, ' OR ');
}

function stateOf(options: { state: InvitationFilters['state']; staleBefore: string }) {
  const { state, staleBefore } = options;
  const some = (...statuses: Invitation['status'][]) => ({ statuses, state: always });
  if (state === undefined) return some(...invitationStates);
  if (state === 'answered') return some('accepted', 'rejected');
  if (state === 'stale') return { ...some('new'), state: sentBefore(staleBefore) };
  return some(state);
}

/** Of what is new, it changed when it was sent, and there is an index on that. */
export function sentBefore(time: string): Sql {
  return sql`i.changed_at < ${time}`;
}
