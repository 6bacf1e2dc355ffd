import type { Device, Presence, PresenceState } from '../contract.ts';
import type { Database } from './database.ts';

/** What a phone last said about itself: in percent and km/h, or that its reports are encrypted. */
export type PhoneReport = NonNullable<Device['phone']>;

/** The columns of `presence p`; null of a device that was never heard. */
export interface PresenceRow {
  state: Exclude<PresenceState, 'never'> | null;
  heard_at: number | null;
  connected_to: string | null;
}
export const presenceColumns = 'p.state, p.heard_at, p.connected_to';
export function presenceOf({ state, heard_at, connected_to }: PresenceRow): Presence {
  if (state === null || heard_at === null) return { state: 'never' };
  return { state, heard_at: new Date(heard_at).toISOString(), ...(connected_to !== null && { connected: true }) };
}

/** Of the resources with these ids that exist. */
export async function readPresence(db: Pick<Database, 'read'>, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Presence>();
  const rows = await db.read<PresenceRow & { id: string }>({
    sql: `SELECT r.id, ${presenceColumns} FROM resources r LEFT JOIN presence p ON p.ref = r.ref
          WHERE r.id IN (SELECT value FROM elements($1))`,
    params: [JSON.stringify(ids)],
  });
  return new Map(rows.map((row) => [row.id, presenceOf(row)]));
}
