import { testBindings } from '../tests/bindings.fixture.ts';
import type { DevicePage, MachineType, MapView, MemberRole, PresenceState, Problem } from '../contract.ts';
import { onError } from '../core/http/problem-response.ts';
import { Problem as Refusal } from '../core/problem.ts';
import { createFairQueue } from '../core/limits/fair-queue.ts';
import { searchText } from '../core/store/search-text.ts';
import type { Database } from '../core/store/database.ts';
import type { Statement } from '../core/store/statement.ts';
import { openTestDatabase } from '../core/store/store.fixture.ts';
import { createReadModels } from './read-models.ts';

export interface TestDevice {
  id: string;
  user_id: string;
  name: string;
  machine_type: MachineType;
  description?: string;
  position?: { longitude: number; latitude: number };
  created_at: string;
  changed_at: string;
  presence: PresenceState;
  /** Something was refused of it. It was heard. */
  isRefused?: boolean;
  /** The ids of its swarms. */
  swarms: string[];
}

export interface TestViews extends AsyncDisposable {
  db: Database;
  /** Adds devices with defaults for missing fields. */
  add(...devices: Partial<TestDevice>[]): Promise<TestDevice[]>;
  addSwarm(swarm: { id: string; user_id?: string; name?: string }): Promise<void>;
  run(sql: string, params?: Statement['params']): Promise<void>;
  clear(): Promise<void>;
  get(path: string, user?: string, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  devices(query?: string, user?: string): Promise<DevicePage>;
  map(query?: string, user?: string): Promise<MapView>;
  refusal(path: string, user?: string): Promise<Problem>;
}

export const noon = '2026-03-04T12:00:00.000Z';
export const fold = (text: string) => text.toLowerCase();

/**
 * The screens with a real database. The header `x-test-user` is the caller. `isSlow`: the index
 * thread never receives a commit, as if it were busy during the whole test.
 */
export async function createTestViews({ isSlow = false } = {}): Promise<TestViews> {
  const database = await openTestDatabase();
  const { db } = database;
  if (isSlow) {
    const sql = 'CREATE TRIGGER feed_empty AFTER INSERT ON feed BEGIN DELETE FROM feed WHERE seq = new.seq; END';
    await db.write([{ sql }]);
  }
  const screens = createReadModels({
    db,
    queue: createFairQueue({ mostWaiting: 1000 }),
    now: () => new Date(noon),
    userOf: (c) => c.req.header('x-test-user') ?? '',
    report: () => {},
    // A simplified rule: only the owner and users with a member see the swarm. The service's rule is tested with the
    // service.
    async requireSwarm({ user, id }) {
      const found = (
        await db.read({ sql: 'SELECT 1 FROM swarm_viewers WHERE swarm_id = $1 AND user_id = $2', params: [id, user] })
      )[0];
      if (!found) throw new Refusal('swarm.not_found');
    },
  });
  screens.routes.onError(onError(() => {}));
  let count = 0;

  const write = async (statements: Statement[]) => void (await db.write(statements));

  const get: TestViews['get'] = async (path, user = 'ann', headers = {}, signal) =>
    screens.routes.request(
      path,
      { headers: { ...headers, 'x-test-user': user }, ...(signal && { signal }) },
      testBindings(),
    );
  async function read<T>(path: string, user?: string): Promise<T> {
    const answer = await get(path, user);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  return {
    db,
    get,
    devices: (query = '', user) => read<DevicePage>(`/devices?${query}`, user),
    map: (query = 'zoom=2', user) => read<MapView>(`/map?${query}`, user),
    refusal: async (path, user) => (await (await get(path, user)).json()) as Problem,
    async add(...devices) {
      const added = devices.map((device) => {
        count += 1;
        const at = new Date(Date.parse(noon) - 1_000_000 + count).toISOString();
        const id = `019a7c51-0000-7000-8000-${String(count).padStart(12, '0')}`;
        const filled = {
          id,
          user_id: 'ann',
          name: `d${count}`,
          machine_type: 'pc' as const,
          created_at: at,
          presence: 'never' as const,
          swarms: [],
        };
        return { ...filled, changed_at: device.created_at ?? at, ...device };
      });
      await write(added.flatMap(insertDevice));
      return added;
    },
    addSwarm: ({ id, user_id = 'ann', name = id }) =>
      write([
        {
          sql: `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ($1, $2, $3, '', 0, $4, 1)`,
          params: [id, user_id, name, noon],
        },
      ]),
    run: (sql, params = []) => write([{ sql, params }]),
    clear: () => write([{ sql: 'DELETE FROM swarms' }, { sql: 'DELETE FROM resources' }]),
    async [Symbol.asyncDispose]() {
      await screens.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

function insertDevice(device: TestDevice): Statement[] {
  const {
    id,
    user_id,
    name,
    machine_type,
    description = null,
    position,
    created_at,
    changed_at,
    presence,
    isRefused = false,
    swarms,
  } = device;
  const modified = changed_at === created_at ? null : changed_at;
  const place = [position?.longitude ?? null, position?.latitude ?? null];
  const folded = [fold(name), searchText(name), description === null ? null : searchText(description)];
  const role: MemberRole = 'producer';
  return [
    {
      sql: `INSERT INTO resources (id, user_id, name, machine_type, description, longitude, latitude, created_at,
          modified_at, changed_at, version, name_key, name_folded, description_folded)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12, $13)`,
      params: [id, user_id, name, machine_type, description, ...place, created_at, modified, changed_at, ...folded],
    },
    ...(presence === 'never'
      ? []
      : [
          {
            sql: `INSERT INTO presence (ref, heard_at, state, changed_at, due_at, refused_at)
              SELECT ref, $2, $3, 0, NULL, CAST($4 AS bigint) FROM resources WHERE id = $1`,
            params: [id, Date.parse(changed_at), presence, isRefused ? 1 : null],
          },
        ]),
    ...swarms.map((swarm) => ({
      sql: 'INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ($1, $2, $3, $4)',
      params: [swarm, id, role, noon],
    })),
  ];
}
