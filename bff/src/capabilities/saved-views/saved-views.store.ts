import type { SavedView } from './contract.ts';
import { Problem } from '../../core/problem.ts';
import { idFormat } from '../../core/limits/field-rules.ts';
import { quotaExceeded, type Quotas } from '../../core/limits/quotas.ts';
import type { Database } from '../../core/store/database.ts';
import type { Statement } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { seenSwarms } from '../../core/store/visibility.ts';
import type { SwarmRow } from '../../core/store/row-types.ts';

/** A saved view. `url` is a path of the app, with its query. */
interface SavedViewRow {
  id: string;
  user_id: string;
  name: string;
  name_folded: string;
  name_key: string;
  url: string;
  created_at: string;
  updated_at: string;
}

type NewView = Omit<SavedViewRow, 'updated_at'>;
/** `name`, `name_folded` and `name_key` change together. */
type ViewChange = Pick<SavedViewRow, 'id' | 'user_id' | 'updated_at'> &
  Partial<Pick<SavedViewRow, 'name' | 'name_folded' | 'name_key' | 'url'>>;

/** The saved views of a user by name, or the one with this id. */
export async function readSavedViews(options: {
  db: Pick<Database, 'read'>;
  user: string;
  id?: string;
}): Promise<SavedView[]> {
  const { db, user, id } = options;
  const rows = await db.read<Pick<SavedViewRow, 'id' | 'name' | 'url' | 'created_at' | 'updated_at'>>({
    sql: `SELECT id, name, url, created_at, updated_at FROM saved_views
     WHERE user_id = $1 AND id = coalesce($2, id) ORDER BY name_key, id`,
    params: [user, id ?? null],
  });
  const named = rows.map((row) => ({ row, ids: swarmsOf(row.url) }));
  const swarms = await db.read<Pick<SwarmRow, 'id' | 'name'>>({
    sql: `SELECT s.id, s.name FROM ${seenSwarms} WHERE viewer.user_id = $1 AND s.id IN (SELECT value FROM elements($2))`,
    params: [user, JSON.stringify(named.flatMap(({ ids }) => ids))],
  });
  const names = new Map(swarms.map((swarm) => [swarm.id, swarm]));
  return named.map(({ row, ids }) => ({ ...row, swarms: ids.flatMap((each) => names.get(each) ?? []) }));
}

/** The ids of the swarms in a URL: of a swarm's map, and of the filter. */
function swarmsOf(url: string): string[] {
  const [path = '', query = ''] = url.split('?');
  const [, ofPath] = /^\/swarms\/([^/]+)\/map$/.exec(path) ?? [];
  const filter = new URLSearchParams(query).get('swarm');
  return [ofPath, filter].filter((id) => typeof id === 'string' && idFormat.test(id)) as string[];
}

export async function addSavedView({ db, quotas, view }: { db: Database; quotas: Quotas; view: NewView }) {
  const { id, user_id, name, name_folded, name_key, url, created_at } = view;
  const written = await db.write([
    // Names and their number are checked by one write at a time.
    lockUser(user_id),
    isNameFree({ user_id, name_folded, id }),
    {
      sql: `INSERT INTO saved_views (id, user_id, name, name_folded, name_key, url, created_at, updated_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $7
            WHERE (SELECT count(*) FROM saved_views WHERE user_id = $2) < $8 RETURNING id`,
      params: [id, user_id, name, name_folded, name_key, url, created_at, quotas.saved_views],
      orFail: 'too many',
    },
  ]);
  if (!written.ok)
    throw written.failed === 'too many' ? quotaExceeded('saved_views', quotas) : problems[written.failed]();
}

export async function changeSavedView({ db, change }: { db: Database; change: ViewChange }): Promise<void> {
  const { id, user_id, name_folded, name, name_key, url, updated_at } = change;
  const params = [id, user_id, name ?? null, name_folded ?? null, name_key ?? null, url ?? null, updated_at];
  const written = await db.write([
    lockUser(user_id),
    { sql: 'SELECT 1 FROM saved_views WHERE id = $1 AND user_id = $2', params: [id, user_id], orFail: 'no view' },
    ...(name_folded === undefined ? [] : [isNameFree({ user_id, name_folded, id })]),
    {
      sql: `UPDATE saved_views SET name = coalesce($3, name), name_folded = coalesce($4, name_folded),
              name_key = coalesce($5, name_key), url = coalesce($6, url), updated_at = $7
            WHERE id = $1 AND user_id = $2`,
      params,
    },
  ]);
  if (!written.ok) throw problems[written.failed]();
}

export async function removeSavedView({ db, id, user_id }: { db: Database; id: string; user_id: string }) {
  const sql = 'DELETE FROM saved_views WHERE id = $1 AND user_id = $2';
  const written = await db.write([{ sql, params: [id, user_id], user: user_id, orFail: 'no view' }]);
  if (!written.ok) throw problems[written.failed]();
}

/** Names are compared ignoring case. A view may keep its own name. */
function isNameFree(view: Pick<NewView, 'user_id' | 'name_folded' | 'id'>): Statement<'name taken'> {
  const { user_id, name_folded, id } = view;
  const others = 'SELECT 1 FROM saved_views WHERE user_id = $1 AND name_folded = $2 AND id <> $3';
  return { sql: `SELECT 1 WHERE NOT EXISTS (${others})`, params: [user_id, name_folded, id], orFail: 'name taken' };
}

const nameTaken = { pointer: '/name', code: 'saved_view.name_taken', detail: 'is the name of another view' };

const problems = {
  'no user': () => new Problem('session.missing'),
  'no view': () => new Problem('saved_view.not_found'),
  'name taken': () => new Problem('saved_view.name_taken', { errors: [nameTaken] }),
};
