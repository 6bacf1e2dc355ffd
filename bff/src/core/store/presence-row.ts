import type { Device, Presence, PresenceState, Refusals } from '../../contract.ts';
import type { Database } from './database.ts';

/** What a phone last said about itself: in percent and km/h. */
export type PhoneReport = NonNullable<Device['phone']>;

/** The columns of `presence p`; null of a device that was never heard. */
export interface PresenceRow {
  state: Exclude<PresenceState, 'never'> | null;
  heard_at: number | null;
  connected_to: string | null;
}
/** A device that was never heard has a row if a wrong key was used for it. Its time is 0. */
export const stateColumns = 'CASE WHEN p.heard_at > 0 THEN p.state END AS state, nullif(p.heard_at, 0) AS heard_at';
export const presenceColumns = `${stateColumns}, p.connected_to`;
export function presenceOf({ state, heard_at, connected_to }: PresenceRow): Presence {
  if (state === null || heard_at === null) return { state: 'never' };
  return { state, heard_at: new Date(heard_at).toISOString(), ...(connected_to !== null && { connected: true }) };
}

/** The columns of `presence p` about what was refused; null without a row. */
export interface RefusalRow {
  refused: number | null;
  refused_at: number | null;
  refused_as: string | null;
  refused_detail: string | null;
  wrong_keys: number | null;
  wrong_key_at: number | null;
}
export const refusalColumns = 'p.refused, p.refused_at, p.refused_as, p.refused_detail, p.wrong_keys, p.wrong_key_at';
export function refusalsOf(row: RefusalRow): Refusals {
  const { refused, refused_at, refused_as, refused_detail, wrong_keys, wrong_key_at } = row;
  const timeOf = (at: number) => new Date(at).toISOString();
  return {
    ...(refused_at !== null && {
      refused: { times: refused!, last_at: timeOf(refused_at), code: refused_as!, detail: refused_detail! },
    }),
    ...(wrong_key_at !== null && { wrong_keys: { times: wrong_keys!, last_at: timeOf(wrong_key_at) } }),
  };
}

/** What was refused of the resource with this id. */
export async function readRefusals(db: Pick<Database, 'read'>, id: string): Promise<Refusals> {
  const sql = `SELECT ${refusalColumns} FROM resources r JOIN presence p ON p.ref = r.ref WHERE r.id = $1`;
  const [row] = await db.read<RefusalRow>({ sql, params: [id] });
  return row ? refusalsOf(row) : {};
}

/** Returns the presence of the resources with these ids that exist, with their owners. */
export async function readPresence(db: Pick<Database, 'read'>, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { owner: string; presence: Presence }>();
  const rows = await db.read<PresenceRow & { id: string; owner: string }>({
    sql: `SELECT r.id, r.user_id AS owner, ${presenceColumns} FROM resources r LEFT JOIN presence p ON p.ref = r.ref
          WHERE r.id IN (SELECT value FROM elements($1))`,
    params: [JSON.stringify(ids)],
  });
  return new Map(rows.map((row) => [row.id, { owner: row.owner, presence: presenceOf(row) }]));
}

/** Silent members of a swarm, for a user. `names`: up to ten, if they are several. The last three: of a single one. */
export interface SilentMembers {
  user_id: string;
  devices: number;
  names: string | null;
  resource_id: string | null;
  resource_name: string | null;
  resource_owner: string | null;
}
