/** A device as an index reads it. Only this file knows the order of the columns. */
import type { MachineType, MemberRole } from '../../contract.ts';
import { stateColumns, type PresenceRow } from '../../core/store/presence-row.ts';
import { raw, sql, type Sql } from '../../core/store/statement.ts';
import { isOpen } from '../../core/store/visibility.ts';
import { swarmOf } from '../devices/device-query.ts';
import type { TableDevice } from './device-table.ts';
import type { SearchedTexts } from './text-column.ts';

/** A tuple, because an index can read a million of them. */
export type IndexRow = readonly [
  ref: number,
  machine_type: MachineType,
  longitude: number | null,
  latitude: number | null,
  changed_at: string,
  created_at: string,
  /** The ids of all its swarms, separated by commas; null if it is in none. */
  swarms: string | null,
  id: string,
  user_id: string,
  name_key: string,
  name_folded: string,
  description_folded: string | null,
  /** Null if it was never heard. */
  state: PresenceRow['state'],
  heard_at: number | null,
  /** 1: something was refused of it, which only its owner sees. The index of a swarm is for all of its viewers. */
  is_refused: number,
  /** 1: its values are kept. */
  keeps_values: number,
  /** If the audience is a swarm. */
  resource_type?: MemberRole,
  member_since?: string,
];

/** The columns of rows `r` of `resources` with their presence `p` and, if the audience is a swarm, their membership `here`. */
export function columnsOf({ user, audience }: { user: string; audience: string }): Sql {
  const isOfSwarm = swarmOf(audience) !== undefined;
  return sql`r.ref, r.machine_type, r.longitude, r.latitude, r.changed_at, r.created_at,
    (SELECT string_agg(m.swarm_id, ',' ORDER BY m.swarm_id) FROM memberships m WHERE m.resource_id = r.id AND ${raw(isOpen('m'))}),
    r.id, r.user_id, r.name_key, r.name_folded, r.description_folded, ${raw(stateColumns)},
    ${isOfSwarm ? raw('0') : sql`CASE WHEN p.refused_at IS NOT NULL AND r.user_id = ${user} THEN 1 ELSE 0 END`},
    CASE WHEN r.keep_values IS NULL THEN 0 ELSE 1 END
    ${raw(isOfSwarm ? ', here.resource_type, here.member_since' : '')}`;
}

export const refOf = ([ref]: IndexRow): number => ref;
export const keepsValues = ({ 15: keeps }: IndexRow): boolean => keeps === 1;
export const sortKeysOf = ({ 8: owner, 9: name }: IndexRow) => ({ name, owner });

/** The owner's name is searched where there are several. */
export function searchedTextsOf(row: IndexRow, audience: string): SearchedTexts {
  const [, , , , , , , id, user_id, , name, description] = row;
  return { id, name, description, owner: audience === 'own' ? null : user_id };
}

export function tableDeviceOf(row: IndexRow): TableDevice {
  const [ref, machine_type, longitude, latitude, changed_at, created_at, swarms, , , , , , ...more] = row;
  const [state, heard_at, isRefused, , resource_type = null, member_since] = more;
  const createdAt = timeOf(created_at);
  return {
    ref,
    machine_type,
    resource_type,
    presence: state ?? 'never',
    isRefused: isRefused === 1,
    swarms: swarms ?? '',
    longitude,
    latitude,
    changedAt: changed_at === created_at ? createdAt : timeOf(changed_at),
    createdAt,
    memberSince: timeOf(member_since),
    heardAt: heard_at ?? 0,
  };
}

/** In ms; 0 for no time. */
const timeOf = (text: string | undefined) => (text === undefined ? 0 : Date.parse(text));
