import { invitationStates } from '../contract.ts';
import type { Invitation, InvitationFilters } from '../contract.ts';
import type { Value } from '../storage/statement.ts';
import type { Reads } from './caller.ts';
import { allOf, always, idPrefixFrom } from './conditions.store.ts';
import type { Condition } from './conditions.store.ts';

/** Whose invitations: all that this user received or sent, or those to one swarm of whoever asks. */
export type Scope = { received: string } | { sent: string } | { board: string };

/** Conditions on a row `i` of `invitations`. */
export interface InvitationMatches {
  scope: Condition;
  /** Every filter but the state: what the counts of the states are of. */
  rest: Condition;
  /** `rest` looks into each row: whoever counts reads all of them anyway. */
  searching: boolean;
  /** What `state` asks for: rows of these, in the order of the list, and what holds of them besides. */
  statuses: readonly Invitation['status'][];
  state: Condition;
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

/** The filters as SQL. Names of swarms are folded here: the database cannot. */
export async function invitationMatchesOf(asked: {
  db: Reads;
  scope: Scope;
  filters: InvitationFilters;
  staleBefore: string;
  fold: (text: string) => string;
}): Promise<InvitationMatches> {
  const { db, scope, filters, staleBefore, fold } = asked;
  const { key, value, other, seesDevice } = sideOf(scope);
  const { state, q, swarm, resource } = filters;
  // few invitations are of one resource, however many a user has
  const own: Condition = { sql: `${resource === undefined ? '' : '+'}${key} = ?`, params: [value] };
  const rest: Condition[] = [
    swarm === undefined ? always : { sql: 'i.swarm_id = ?', params: [swarm] },
    resource === undefined ? always : { sql: 'i.resource_id = ?', params: [resource] },
  ];
  if (q !== undefined) {
    const text = fold(q);
    const swarms = 'board' in scope ? [] : await swarmsNamed({ db, own, text, fold });
    rest.push(searched({ text, other, seesDevice, swarms }));
  }
  return { scope: own, rest: allOf(rest), searching: q !== undefined, ...stateOf({ state, staleBefore }), seesDevice };
}

/** Ids of the swarms among the caller's invitations that have the text in their names. */
async function swarmsNamed(asked: { db: Reads; own: Condition; text: string; fold: (text: string) => string }) {
  const { db, own, text, fold } = asked;
  const sql = `SELECT id, name FROM swarms WHERE id IN (SELECT i.swarm_id FROM invitations i WHERE ${own.sql})`;
  const named = await db.query<{ id: string; name: string }>(sql, own.params);
  return named.filter(({ name }) => fold(name).includes(text)).map(({ id }) => id);
}

function searched(asked: { text: string; other: string; seesDevice: string; swarms: string[] }): Condition {
  const { text, other, seesDevice, swarms } = asked;
  const device = `SELECT 1 FROM resources r WHERE r.id = i.resource_id AND ${seesDevice} AND instr(r.name_folded, ?) > 0`;
  const ways: { sql: string; param: Value }[] = [
    { sql: `instr(${other}, ?) > 0`, param: text },
    ...(swarms.length === 0
      ? []
      : [{ sql: 'i.swarm_id IN (SELECT value FROM json_each(?))', param: JSON.stringify(swarms) }]),
    ...(text.length < idPrefixFrom ? [] : [{ sql: 'instr(i.resource_id, ?) = 1', param: text }]),
    { sql: `EXISTS (${device})`, param: text },
  ];
  return { sql: `(${ways.map(({ sql }) => sql).join(' OR ')})`, params: ways.map(({ param }) => param) };
}

function stateOf(asked: { state: InvitationFilters['state']; staleBefore: string }) {
  const { state, staleBefore } = asked;
  const some = (...statuses: Invitation['status'][]) => ({ statuses, state: always });
  if (state === undefined) return some(...invitationStates);
  if (state === 'answered') return some('accepted', 'rejected');
  if (state === 'stale') return { ...some('new'), state: sentBefore(staleBefore) };
  return some(state);
}

/** Of what is new, it changed when it was sent, and there is an index on that. */
export function sentBefore(time: string): Condition {
  return { sql: 'i.changed_at < ?', params: [time] };
}
