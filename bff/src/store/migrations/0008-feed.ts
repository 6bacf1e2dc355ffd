import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The deletion of this many members or more is one entry, after which subscribers read the whole swarm again. */
const bulkFrom = 500;

/** Appends one entry; `kind` and `values` are SQL expressions. */
const append = (kind: string, values: Record<string, string>) =>
  `INSERT INTO feed (kind, ${Object.keys(values).join(', ')}) VALUES (${[kind, ...Object.values(values)].join(', ')});`;

const ofResource = (row: 'old' | 'new') => ({
  owner: `${row}.user_id`,
  ref: `${row}.ref`,
  resource_id: `${row}.id`,
});
const ofMember = (row: 'old' | 'new') =>
  `INSERT INTO feed (kind, owner, ref, resource_id, swarm_id)
     SELECT 'membership.changed', user_id, ref, id, ${row}.swarm_id FROM resources WHERE id = ${row}.resource_id;`;
const ofInvitation = (row: 'old' | 'new') => ({
  owner: `${row}."from"`,
  recipient: `${row}."to"`,
  record_id: `${row}.id`,
  resource_id: `${row}.resource_id`,
  swarm_id: `${row}.swarm_id`,
});
/** Everyone who could know of the swarm, and whether so many members go with it that they get no entries. */
const swarmDestroyed = (row: 'old' | 'new', isBulk: string) =>
  append(`'swarm.destroyed'`, {
    owner: 'old.user_id',
    swarm_id: `${row}.id`,
    users_before: `(SELECT group_concat(user_id) FROM (SELECT user_id FROM swarm_viewers WHERE swarm_id = ${row}.id
      UNION SELECT "to" FROM invitations WHERE swarm_id = ${row}.id))`,
    is_bulk: isBulk,
  });
/** A swarm that is being deleted has no owner. */
const isVisible = (row: 'old' | 'new') => `coalesce((SELECT user_id FROM swarms WHERE id = ${row}.swarm_id), '') <> ''`;
const members = (swarm: string) => `coalesce((SELECT members FROM swarm_sizes WHERE swarm_id = ${swarm}), 0)`;

const statements = [
  // What changed, in the order of the commits: ids and never records. Triggers append to it, so no write can forget it,
  // and cascades are in it. The writer deletes the oldest entries.
  // `swarms_before` and `users_before`: who could see a record before it ended, with commas between them.
  `CREATE TABLE feed (seq INTEGER PRIMARY KEY AUTOINCREMENT,
     at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), kind TEXT NOT NULL, owner TEXT, recipient TEXT,
     ref INTEGER, resource_id TEXT, swarm_id TEXT, record_id TEXT, swarms_before TEXT, users_before TEXT,
     is_bulk INTEGER NOT NULL DEFAULT 0)`,
  // A cursor of another feed means nothing here.
  `CREATE TABLE feed_name (name TEXT NOT NULL)`,
  `INSERT INTO feed_name VALUES (lower(hex(randomblob(6))))`,

  `CREATE TRIGGER feed_resource_created AFTER INSERT ON resources
     BEGIN ${append(`'resource.created'`, ofResource('new'))} END`,
  // By the columns that the statement sets, because a value may be set again. Every update sets `changed_at`: one that
  // also sets the name has two entries.
  `CREATE TRIGGER feed_resource_updated AFTER UPDATE OF name, machine_type, description, name_folded ON resources
     BEGIN ${append(`'resource.updated'`, ofResource('new'))} END`,
  `CREATE TRIGGER feed_resource_moved AFTER UPDATE OF longitude, latitude, changed_at ON resources
     BEGIN ${append(`'resource.moved'`, ofResource('new'))} END`,
  // The memberships end while the resource still exists. Nobody but the owner sees a resource that is in no swarm: when
  // the account has ended, nobody needs an entry for each.
  `DROP TRIGGER memberships_end`,
  `CREATE TRIGGER resource_destroyed BEFORE DELETE ON resources BEGIN
     INSERT INTO feed (kind, owner, ref, resource_id, swarms_before)
       SELECT 'resource.destroyed', old.user_id, old.ref, old.id,
         (SELECT group_concat(swarm_id) FROM memberships WHERE resource_id = old.id)
       WHERE NOT EXISTS (SELECT 1 FROM retired_names WHERE name = old.user_id)
         OR EXISTS (SELECT 1 FROM memberships WHERE resource_id = old.id);
     DELETE FROM memberships WHERE resource_id = old.id;
   END`,

  `CREATE TRIGGER feed_member_joined AFTER INSERT ON memberships BEGIN ${ofMember('new')} END`,
  `CREATE TRIGGER feed_member_changed AFTER UPDATE OF resource_type ON memberships BEGIN ${ofMember('new')} END`,
  `CREATE TRIGGER feed_member_left AFTER DELETE ON memberships
     WHEN ${isVisible('old')} OR ${members('old.swarm_id')} < ${bulkFrom} BEGIN ${ofMember('old')} END`,
  `CREATE TRIGGER feed_viewer_joined AFTER INSERT ON swarm_viewers
     BEGIN ${append(`'viewer.changed'`, { owner: 'new.user_id', swarm_id: 'new.swarm_id' })} END`,
  `CREATE TRIGGER feed_viewer_left AFTER DELETE ON swarm_viewers WHEN ${isVisible('old')}
     BEGIN ${append(`'viewer.changed'`, { owner: 'old.user_id', swarm_id: 'old.swarm_id' })} END`,

  `CREATE TRIGGER feed_swarm_created AFTER INSERT ON swarms
     BEGIN ${append(`'swarm.created'`, { owner: 'new.user_id', swarm_id: 'new.id' })} END`,
  `CREATE TRIGGER feed_swarm_updated AFTER UPDATE OF name, description, public ON swarms WHEN new.user_id <> ''
     BEGIN ${append(`'swarm.updated'`, { owner: 'new.user_id', swarm_id: 'new.id' })} END`,
  `CREATE TRIGGER feed_swarm_hidden AFTER UPDATE OF user_id ON swarms WHEN new.user_id = '' AND old.user_id <> ''
     BEGIN ${swarmDestroyed('new', `${members('new.id')} >= ${bulkFrom}`)} END`,
  `CREATE TRIGGER feed_swarm_destroyed BEFORE DELETE ON swarms WHEN old.user_id <> ''
     BEGIN ${swarmDestroyed('old', '1')} END`,

  `CREATE TRIGGER feed_invitation_sent AFTER INSERT ON invitations
     BEGIN ${append(`'invitation.sent'`, ofInvitation('new'))} END`,
  `CREATE TRIGGER feed_invitation_sent_again AFTER UPDATE OF sent_at ON invitations
     BEGIN ${append(`'invitation.sent'`, ofInvitation('new'))} END`,
  `CREATE TRIGGER feed_invitation_answered AFTER UPDATE OF status ON invitations
     BEGIN ${append(`'invitation.updated'`, ofInvitation('new'))} END`,
  `CREATE TRIGGER feed_invitation_withdrawn AFTER DELETE ON invitations WHEN old.status = 'new' AND ${isVisible('old')}
     BEGIN ${append(`'invitation.withdrawn'`, ofInvitation('old'))} END`,

  `CREATE TRIGGER feed_account_ended AFTER INSERT ON retired_names
     BEGIN ${append(`'account.ended'`, { owner: 'new.name' })} END`,
  `CREATE TRIGGER feed_session_renewed AFTER UPDATE ON session
     BEGIN ${append(`'session.changed'`, { record_id: 'new.id' })} END`,
  `CREATE TRIGGER feed_session_ended AFTER DELETE ON session
     BEGIN ${append(`'session.changed'`, { record_id: 'old.id' })} END`,
  `CREATE TRIGGER feed_key_expires AFTER UPDATE OF expires_at ON api_keys
     BEGIN ${append(`'key.changed'`, { owner: 'new.user_id', record_id: 'new.id' })} END`,
  `CREATE TRIGGER feed_key_ended AFTER DELETE ON api_keys
     BEGIN ${append(`'key.changed'`, { owner: 'old.user_id', record_id: 'old.id' })} END`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
