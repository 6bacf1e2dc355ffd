/** Keeps the names of ended accounts from being used again, and tells all processes when an account is disabled or enabled. */
import { serverActor } from '../../../limits/field-rules.ts';
import { newestOf } from '../../newest-activity.ts';
import type { Store } from '../tables.ts';
import { appendEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

/** Who offered devices to the name of a new user, or asked the name to manage or watch a swarm, is told that this has ended. */
const toldOfNewUser = `
  INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, amount, detail)
    SELECT u.username, ${newestOf('u.username')} + 1, new."createdAt", 'resource.offer_withdrawn', '${serverActor}',
      CASE WHEN count(*) = 1 THEN min(r.id) END, CASE WHEN count(*) = 1 THEN min(r.name) END,
      CASE WHEN count(*) = 1 THEN u.username END, CASE WHEN count(*) > 1 THEN count(*) END, new.username
    FROM resource_offers o JOIN resources r ON r.id = o.resource_id JOIN "user" u ON u.username = o.user_id
    WHERE o.to_user = new.username GROUP BY u.username;
  INSERT INTO activity (user_id, seq, at, kind, actor, swarm_id, swarm_name, detail)
    SELECT u.username, ${newestOf('u.username')} + row_number() OVER (PARTITION BY u.username ORDER BY s.id), new."createdAt",
      'swarm.' || m.role || '_withdrawn', '${serverActor}', s.id, s.name, new.username
    FROM managers m JOIN swarms s ON s.id = m.swarm_id JOIN "user" u ON u.username = s.user_id
    WHERE m.user_id = new.username;`;

export const userTriggers = (store: Store): Trigger[] => [
  {
    name: 'retired_names_stay',
    on: 'BEFORE INSERT ON "user"',
    when: 'EXISTS (SELECT 1 FROM retired_names WHERE name = new.username)',
    body:
      store === 'sqlite'
        ? `SELECT RAISE(ABORT, 'UNIQUE constraint failed: user.username');`
        : `RAISE unique_violation USING MESSAGE = 'the user name is retired';`,
  },
  // Nobody gets what was offered to another user of this name.
  {
    name: 'user_created',
    on: 'AFTER INSERT ON "user"',
    body: `${toldOfNewUser}
        DELETE FROM managers WHERE user_id = new.username; DELETE FROM resource_offers WHERE to_user = new.username;`,
  },
  // The entry makes all processes read the user's keys again.
  {
    name: 'user_disabled',
    on: 'AFTER UPDATE OF disabled_at ON "user"',
    body: `${appendEntry(store, 'key.changed', { owner: 'new.username' })}
        ${appendEntry(store, 'account.enabled', { owner: 'new.username' }, { when: 'new.disabled_at IS NULL' })}`,
  },
];
