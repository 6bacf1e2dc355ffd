/** Forked by `bench -- turns`: fills the data folder of a server that is stopped, in which the users have signed up. */
import { storeSteps } from './stored-steps.fixture.ts';
import { openStore } from '../core/store/open.ts';

interface Filling {
  url: string;
  /** The owner of the devices, and users who see the swarm. */
  owner: string;
  others: string[];
  swarm: string;
  devices: number;
  members: number;
  steps: number;
  ends: number;
  endsAt: string;
  mails: number;
}

process.once('message', (filling: Filling) => void fill(filling));

async function fill(filling: Filling): Promise<never> {
  const { url, owner, others, swarm, devices, members, steps, ends, endsAt, mails } = filling;
  const db = await openStore({ url });
  const at = new Date().toISOString();
  const idOf = (kind: number, n: number) => `019a7c5${kind}-5d0e-7c1c-8a4e-${String(n).padStart(12, '0')}`;
  const insert = async (sql: string, ids: readonly string[], ...params: (string | number)[]) => {
    const atOnce = 1000;
    for (let from = 0; from < ids.length; from += atOnce)
      await db.write([{ sql, params: [JSON.stringify(ids.slice(from, from + atOnce)), ...params] }]);
  };
  const idsOf = (kind: number, count: number) => Array.from({ length: count }, (_, n) => idOf(kind, n));
  const resource = `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded, longitude, latitude)
    SELECT value, $3, 'Sensor', 'pc', $2, $2, 1, 'sensor', 'sensor', 8 + CAST(substr(value, 32) AS integer) % 100 / 50.0, 54 FROM elements($1)`;
  const member = `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since, shown_by_links, ends_at)
    SELECT $2, value, 'both', $3, 1, CASE WHEN value < $4 THEN $5 END FROM elements($1)`;
  await insert(resource, idsOf(1, devices), at, owner);
  await insert(member, idsOf(1, members), swarm, at, idOf(1, ends), endsAt);
  for (const [n, user] of others.entries()) {
    await insert(resource, [idOf(2, n)], at, user);
    await insert(member, [idOf(2, n)], swarm, at, '', endsAt);
  }
  await storeSteps({ db, id: idOf(1, devices - 1), steps, now: Date.now() });
  await insert(
    `INSERT INTO mails (user_id, kind, address, language, at, next_at, ends_at)
      SELECT value, 'link', value || '@example.org', 'en', $2, 1, CAST($3 AS bigint) FROM elements($1)`,
    idsOf(6, mails),
    at,
    Date.now() + 3_600_000,
  );
  await db.close();
  process.exit();
}
