/** The versions of the tables, for both stores. */
import { StorageError } from '../statement.ts';
import { baseTables, deliverySource, thirdDeliverySource, statementFor, type Store } from './tables.ts';

/** Its statements may have the types of `tables.ts`. */
export interface Migration {
  name: string;
  statements: (store: Store) => readonly string[];
}

const base: Migration = {
  name: '0001-base',
  statements: (store) => [
    // The names of the applied migrations.
    'CREATE TABLE swarmdeck_migrations (name text NOT NULL PRIMARY KEY, at text NOT NULL)',
    ...baseTables(store),
  ],
};

/** Links by which users join a swarm, without their secrets (capabilities/join-links/link-codes.ts). */
const joinLinks: Migration = {
  name: '0002-join-links',
  statements: () => [
    // `joined`: how many resources have joined by it.
    `CREATE TABLE join_links (id text NOT NULL PRIMARY KEY,
       swarm_id text NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, name text NOT NULL,
       resource_type text NOT NULL CHECK (resource_type IN ('producer', 'consumer', 'both')), expires_at text,
       max_resources integer, joined integer NOT NULL DEFAULT 0, created_at text NOT NULL, ended_at text)`,
    `CREATE INDEX join_links_by_swarm ON join_links (swarm_id, created_at, id)`,
    // The link by which the resource joined.
    `ALTER TABLE invitations ADD COLUMN link_id text`,
    `CREATE INDEX invitations_by_link ON invitations (link_id, resource_id) WHERE link_id IS NOT NULL`,
  ],
};

/** `role`: '' or 'operator'. */
const operator: Migration = {
  name: '0003-operator',
  statements: () => [
    `ALTER TABLE "user" ADD COLUMN disabled_at text`,
    `ALTER TABLE "user" ADD COLUMN role text NOT NULL DEFAULT ''`,
  ],
};

/** By which a database recognises its secret (store/secret.ts). It has one row. */
const secretFingerprint: Migration = {
  name: '0004-secret-fingerprint',
  statements: () => [
    'CREATE TABLE secret_fingerprint (id integer NOT NULL PRIMARY KEY CHECK (id = 1), fingerprint text NOT NULL)',
  ],
};

/** The directory: public swarms that their owners list, sorted and searched without reading other tables. */
const directory: Migration = {
  name: '0005-directory',
  statements: () => [
    `ALTER TABLE swarms ADD COLUMN listed integer NOT NULL DEFAULT 0`,
    // `search_text`: the folded name and description. Triggers keep `members` and `active_at`, and delete the row when
    // the swarm is no longer listed.
    `CREATE TABLE directory (swarm_id text NOT NULL PRIMARY KEY REFERENCES swarms (id) ON DELETE CASCADE,
       user_id text NOT NULL, name_key text NOT NULL, search_text text NOT NULL, members bigint NOT NULL,
       active_at text NOT NULL)`,
    `CREATE INDEX directory_by_name ON directory (name_key, swarm_id)`,
    `CREATE INDEX directory_by_members ON directory (members, swarm_id)`,
    `CREATE INDEX directory_by_activity ON directory (active_at, swarm_id)`,
    `CREATE INDEX user_disabled ON "user" (username) WHERE disabled_at IS NOT NULL`,
  ],
};

/**
 * Users who look after a swarm for its owner. `asked_at`: when the owner named the user; `agreed_at`: when the user agreed,
 * and is a manager since. `offered_at`: when the owner offered the swarm to the manager; at most one of a swarm has it.
 */
const managers: Migration = {
  name: '0006-managers',
  statements: () => [
    `CREATE TABLE managers (swarm_id text NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, user_id text NOT NULL,
       asked_at text NOT NULL, agreed_at text, offered_at text, PRIMARY KEY (swarm_id, user_id)) WITHOUT ROWID`,
    `CREATE INDEX managers_by_user ON managers (user_id, swarm_id)`,
    `CREATE UNIQUE INDEX managers_offered ON managers (swarm_id) WHERE offered_at IS NOT NULL`,
  ],
};

/**
 * Users ask to join a swarm. Names and type of the device are what its owner offers to show. A request stays when its device
 * is deleted, because it counts for the limits: a trigger withdraws it.
 */
const joinRequests: Migration = {
  name: '0007-join-requests',
  statements: () => [
    `ALTER TABLE swarms ADD COLUMN accepts_requests integer NOT NULL DEFAULT 1`,
    `CREATE TABLE join_requests (id text NOT NULL PRIMARY KEY,
       swarm_id text NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, swarm_name text NOT NULL, user_id text NOT NULL,
       resource_id text NOT NULL, resource_name text NOT NULL, resource_folded text NOT NULL,
       machine_type text NOT NULL,
       resource_type text NOT NULL CHECK (resource_type IN ('producer', 'consumer', 'both')), message text,
       asked_at text NOT NULL, status text NOT NULL CHECK (status IN ('new', 'accepted', 'rejected', 'withdrawn')),
       ended_at text, changed_at text GENERATED ALWAYS AS (coalesce(ended_at, asked_at)) VIRTUAL,
       CHECK ((status = 'new') = (ended_at IS NULL)))`,
    `CREATE UNIQUE INDEX join_requests_open ON join_requests (swarm_id, resource_id) WHERE status = 'new'`,
    `CREATE INDEX join_requests_of_swarm ON join_requests (swarm_id, status, changed_at)`,
    `CREATE INDEX join_requests_of_user ON join_requests (user_id, status, changed_at)`,
    `CREATE INDEX join_requests_by_time ON join_requests (user_id, asked_at)`,
    `CREATE INDEX join_requests_of_resource ON join_requests (resource_id)`,
    // Users who may not ask to join the swarm.
    `CREATE TABLE blocked_users (swarm_id text NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, user_id text NOT NULL,
       blocked_at text NOT NULL, PRIMARY KEY (swarm_id, user_id)) WITHOUT ROWID`,
    `CREATE INDEX blocked_users_by_user ON blocked_users (user_id)`,
  ],
};

/**
 * Two invitations of a resource for both roles that were sent and answered together are one row of the lists: the one as
 * consumer is the second of the pair. Triggers maintain `is_second`, so that counts and pages are read from an index.
 */
const labelsAndPairs: Migration = {
  name: '0008-labels-and-pairs',
  statements: () => [
    `ALTER TABLE invitations ADD COLUMN label text`,
    `ALTER TABLE invitations ADD COLUMN label_folded text`,
    `ALTER TABLE invitations ADD COLUMN is_second integer NOT NULL DEFAULT 0`,
    `UPDATE invitations SET is_second = 1 WHERE resource_type = 'consumer' AND EXISTS (
       SELECT 1 FROM invitations other WHERE other.resource_id = invitations.resource_id
         AND other.swarm_id = invitations.swarm_id AND other.resource_type = 'producer'
         AND other."from" = invitations."from" AND other.status = invitations.status
         AND other.sent_at = invitations.sent_at AND other.changed_at = invitations.changed_at
         AND other.description IS NOT DISTINCT FROM invitations.description)`,
    `DROP INDEX invitations_inbox`,
    `DROP INDEX invitations_outbox`,
    `DROP INDEX invitations_board`,
    `CREATE INDEX invitations_inbox ON invitations ("to", status, changed_at, is_second)`,
    `CREATE INDEX invitations_outbox ON invitations ("from", status, changed_at, is_second)`,
    `CREATE INDEX invitations_board ON invitations (swarm_id, status, changed_at, is_second)`,
    `CREATE INDEX invitations_second ON invitations (swarm_id, resource_id, changed_at) WHERE is_second = 1`,
  ],
};

/**
 * Keys that act for one device, and messages: a row for each swarm of a message. Without foreign keys: their checks would
 * wait for every write that locks the swarm, and all senders with it. `is_named`: the sender has given the id. `rest`: how
 * many rows of the same message follow. So all rows of a message have one position: that of its last row.
 */
const messages: Migration = {
  name: '0009-messages',
  statements: () => [
    `ALTER TABLE api_keys ADD COLUMN resource_id text REFERENCES resources (id) ON DELETE CASCADE`,
    `CREATE INDEX api_keys_of_device ON api_keys (resource_id) WHERE resource_id IS NOT NULL`,
    `CREATE INDEX api_keys_of_user ON api_keys (user_id, kind, created_at) WHERE resource_id IS NULL`,
    `CREATE TABLE messages (seq integer PRIMARY KEY AUTOINCREMENT, id text NOT NULL, swarm_id text NOT NULL,
       sender_id text NOT NULL, to_id text, sent_at text NOT NULL, payload text NOT NULL, is_named integer NOT NULL,
       rest integer NOT NULL DEFAULT 0)`,
    `CREATE INDEX messages_of_swarm ON messages (swarm_id, seq)`,
    `CREATE INDEX messages_of_sender ON messages (sender_id, seq)`,
    `CREATE INDEX messages_of_member ON messages (swarm_id, sender_id, seq)`,
    `CREATE UNIQUE INDEX messages_named ON messages (sender_id, id, swarm_id) WHERE is_named = 1`,
  ],
};

/** The actions of a user that run or wait, in this order: those with one chunk, and longer ones. The runner reads the first of each. */
const openActions: Migration = {
  name: '0010-open-actions',
  statements: () => [
    `CREATE INDEX actions_open ON actions (user_id, (CASE WHEN total > 100 THEN 1 ELSE 0 END), state DESC, runs_at, id)
       WHERE state = 'pending' OR state = 'running'`,
  ],
};

/** The folded texts of all swarms. Those of an earlier version are stored after the start, because SQL cannot fold them. */
const swarmTexts: Migration = {
  name: '0011-swarm-texts',
  statements: () => [
    `CREATE TABLE swarm_texts (swarm_id text NOT NULL PRIMARY KEY REFERENCES swarms (id) ON DELETE CASCADE,
       name_key text NOT NULL, search_text text NOT NULL) WITHOUT ROWID`,
  ],
};

/** One index by sender: with two of them, half of the pages that a commit of messages writes were theirs. */
const messagesOfSender: Migration = {
  name: '0012-messages-of-sender',
  statements: () => [
    'DROP INDEX messages_of_sender',
    'DROP INDEX messages_of_member',
    'CREATE INDEX messages_of_sender ON messages (sender_id, swarm_id, seq)',
  ],
};

/**
 * When devices were heard, by their refs: times in ms, because the next change of a state is computed from them. `due_at`: when
 * the state may change without being heard; null if it cannot. Not in `resources`, whose rows and versions stay.
 * `silences`: what is to be told to the owners of silent devices, at `tell_at`. `times`: how often it fell silent since it was
 * told at `told_at`. `is_told`: the owner knows that it is silent. `leases`: what one process at a time does.
 * `expected_after`: members up to this one have been read since the swarm's `expected_every` has changed; null: all.
 */
const presence: Migration = {
  name: '0013-presence',
  statements: () => [
    `ALTER TABLE resources ADD COLUMN expected_every integer`,
    `ALTER TABLE swarms ADD COLUMN expected_every integer`,
    `ALTER TABLE swarms ADD COLUMN expected_after text`,
    `CREATE INDEX swarms_expected ON swarms (id) WHERE expected_after IS NOT NULL`,
    `ALTER TABLE activity ADD COLUMN amount bigint`,
    `CREATE TABLE presence (ref bigint NOT NULL PRIMARY KEY REFERENCES resources (ref) ON DELETE CASCADE,
       heard_at bigint NOT NULL, state text NOT NULL CHECK (state IN ('online', 'offline', 'silent')),
       changed_at bigint NOT NULL, due_at bigint) WITHOUT ROWID`,
    `CREATE INDEX presence_due ON presence (due_at) WHERE due_at IS NOT NULL`,
    // Without a foreign key, whose check would wait for a deletion that waits for the presence of the device.
    `CREATE TABLE silences (ref bigint NOT NULL PRIMARY KEY, user_id text NOT NULL, times bigint NOT NULL, is_told integer NOT NULL DEFAULT 0, told_at bigint, tell_at bigint)
       WITHOUT ROWID`,
    `CREATE INDEX silences_due ON silences (tell_at, user_id) WHERE tell_at IS NOT NULL`,
    `CREATE INDEX silences_of_user ON silences (user_id, is_told)`,
    `CREATE TABLE leases (name text NOT NULL PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL) WITHOUT ROWID`,
    // When no process listened.
    `CREATE TABLE pauses (started_at bigint NOT NULL PRIMARY KEY, ended_at bigint NOT NULL) WITHOUT ROWID`,
    // `sealed`: the secret that signs what is sent. `next_at`: the next attempt; null if there is none.
    `CREATE TABLE webhooks (user_id text NOT NULL PRIMARY KEY, url text NOT NULL, sealed blob NOT NULL,
       created_at text NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE webhook_deliveries (seq integer PRIMARY KEY AUTOINCREMENT, user_id text NOT NULL, at text NOT NULL,
       kind text NOT NULL, resource_id text, resource_name text, swarm_id text, swarm_name text, amount bigint, detail text,
       attempts integer NOT NULL DEFAULT 0, tried_at text, next_at bigint, status integer, answer text)`,
    `CREATE INDEX webhook_deliveries_of_user ON webhook_deliveries (user_id, seq)`,
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE next_at IS NOT NULL`,
  ],
};

/** `role`: a manager looks after the swarm; a watcher only sees what its members see. */
const watchers: Migration = {
  name: '0014-watchers',
  statements: () => [
    `ALTER TABLE managers ADD COLUMN role text NOT NULL DEFAULT 'manager' CHECK (role IN ('manager', 'watcher'))`,
  ],
};

/** For its triggers: notices that are one, and states that change at most every five seconds. */
const gatheredNotices: Migration = { name: '0015-gathered-notices', statements: () => [] };

/** For its triggers: the deletion of a dismissed action has no entry in the feed. */
const quietDeletions: Migration = { name: '0016-quiet-deletions', statements: () => [] };

/**
 * Where devices were whose owners keep their tracks: one row for each. `points`: capabilities/tracks/track-points.ts. The other columns
 * are those of the last point. `at`: in ms.
 */
const tracks: Migration = {
  name: '0017-tracks',
  statements: (store) => [
    `ALTER TABLE resources ADD COLUMN keep_track integer`,
    `CREATE INDEX resources_with_track ON resources (user_id) WHERE keep_track = 1`,
    `CREATE TABLE tracks (ref bigint NOT NULL PRIMARY KEY REFERENCES resources (ref) ON DELETE CASCADE,
       at bigint NOT NULL, longitude double precision NOT NULL, latitude double precision NOT NULL, points text NOT NULL)`,
    // Compressing 18 kB for each append takes longer than to write them.
    ...(store === 'postgres' ? ['ALTER TABLE tracks ALTER COLUMN points SET STORAGE EXTERNAL'] : []),
  ],
};

/** A track is rows of a few points, of which the newest one is appended to: SQLite writes the whole row. */
const trackParts: Migration = {
  name: '0018-track-parts',
  statements: () => [
    `ALTER TABLE tracks RENAME TO whole_tracks`,
    `CREATE TABLE tracks (ref bigint NOT NULL REFERENCES resources (ref) ON DELETE CASCADE, part integer NOT NULL,
       at bigint NOT NULL, longitude double precision NOT NULL, latitude double precision NOT NULL, points text NOT NULL,
       PRIMARY KEY (ref, part))`,
    `INSERT INTO tracks (ref, part, at, longitude, latitude, points)
       SELECT ref, 0, at, longitude, latitude, points FROM whole_tracks`,
    `DROP TABLE whole_tracks`,
    // Since when the owner sees the members, if not always: another user has owned it before.
    `ALTER TABLE swarms ADD COLUMN owner_since text`,
  ],
};

/**
 * The browsers that are sent notices, each for as long as its session lasts, and the keys of the server for that. A delivery
 * is for a webhook, or for the browser of a session.
 */
const push: Migration = {
  name: '0019-push',
  statements: () => [
    `CREATE TABLE push_subscriptions (session_id text NOT NULL PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
       user_id text NOT NULL, endpoint text NOT NULL, p256dh text NOT NULL, auth text NOT NULL, language text NOT NULL,
       shows_names integer NOT NULL, created_at text NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX push_subscriptions_of_user ON push_subscriptions (user_id, created_at)`,
    `CREATE INDEX push_subscriptions_of_browser ON push_subscriptions (endpoint)`,
    `CREATE TABLE push_keys (user_id text NOT NULL PRIMARY KEY, sealed blob NOT NULL) WITHOUT ROWID`,
    // Without a foreign key, whose check would make an invitation wait for a session that ends.
    `ALTER TABLE webhook_deliveries ADD COLUMN session_id text`,
  ],
};

/** `notice`: 1 if the owner knows that it is silent, 0 if not, and others while notices are written (presence.store.ts). */
const silenceNotices: Migration = {
  name: '0020-silence-notices',
  statements: () => [`ALTER TABLE silences RENAME COLUMN is_told TO notice`],
};

/** Presence reads waiting swarms by their users, and marked devices by their refs: each in turn. */
const presenceTurns: Migration = {
  name: '0021-presence-turns',
  statements: () => [
    'DROP INDEX swarms_expected',
    'CREATE INDEX swarms_expected ON swarms (user_id, id) WHERE expected_after IS NOT NULL',
    'DROP INDEX presence_due',
    'CREATE INDEX presence_due ON presence (due_at, ref) WHERE due_at IS NOT NULL',
  ],
};

/** For its triggers: a device that is not expected any more keeps the time when its owner was told. */
const toldSilences: Migration = { name: '0022-told-silences', statements: () => [] };

/**
 * The newest messages that were deleted though somebody may not have received them (capabilities/messages/delete.store.ts). `to_id`: '' for those
 * to all. `other_seq`: the newest one that is not of `sender_id`; 0 if there is none.
 */
const messageGaps: Migration = {
  name: '0023-message-gaps',
  statements: () => [
    `CREATE TABLE message_gaps (swarm_id text NOT NULL, to_id text NOT NULL, seq bigint NOT NULL, sender_id text NOT NULL,
       other_seq bigint NOT NULL, PRIMARY KEY (swarm_id, to_id)) WITHOUT ROWID`,
  ],
};

/**
 * `user_id`: of the sender, who is charged for the bytes (triggers.ts). Messages from before have none, and are not counted.
 */
const messageBytes: Migration = {
  name: '0024-message-bytes',
  statements: () => ['ALTER TABLE messages ADD COLUMN user_id text'],
};

const firstDeliverySource = `CASE WHEN substr(kind, 1, 9) = 'resource.' OR kind = 'test' THEN 'server' ELSE 'others' END`;
const secondDeliverySource = `CASE WHEN substr(kind, 1, 9) = 'resource.' OR kind = 'swarm.silent' OR kind = 'test' THEN 'server' ELSE 'others' END`;

/** Deliveries are limited by who causes them. Those that wait are found by that, and by what they are about. */
const noticeSources: Migration = {
  name: '0025-notice-sources',
  statements: () => [
    `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (user_id, session_id, (${firstDeliverySource}), seq)
       WHERE next_at IS NOT NULL`,
    'CREATE INDEX webhook_deliveries_gathered ON webhook_deliveries (user_id, kind, swarm_id) WHERE next_at IS NOT NULL',
  ],
};

/**
 * What was reported with a position. `located_at`: the time of the position, reported or when it was set; null of those from before.
 * `track_since`: when `keep_track` was last switched on.
 */
const positionReports: Migration = {
  name: '0026-position-reports',
  statements: () => [
    'ALTER TABLE resources ADD COLUMN positioned_at text',
    'ALTER TABLE resources ADD COLUMN accuracy double precision',
    'ALTER TABLE resources ADD COLUMN located_at text',
    'ALTER TABLE resources ADD COLUMN track_since text',
  ],
};

/** `phone`: what an app last said about its phone, as JSON. */
const phones: Migration = {
  name: '0027-phones',
  statements: () => ['ALTER TABLE presence ADD COLUMN phone text'],
};

/** `connected_to`: the process to which the device has a connection. It has a lease as long as it has one. */
const connections: Migration = {
  name: '0028-connections',
  statements: () => [
    'ALTER TABLE presence ADD COLUMN connected_to text',
    'CREATE INDEX presence_connected ON presence (connected_to) WHERE connected_to IS NOT NULL',
  ],
};

/** `hash`: SHA-256 of a code. A used code has no row. */
const recoveryCodes: Migration = {
  name: '0029-recovery-codes',
  statements: () => [
    `CREATE TABLE recovery_codes (user_id text NOT NULL, hash text NOT NULL, PRIMARY KEY (user_id, hash)) WITHOUT ROWID`,
  ],
};

/** `encoding`: what the string of a payload stands for, if it is not JSON by itself. */
const messageEncodings: Migration = {
  name: '0030-message-encodings',
  statements: (store) => [
    'ALTER TABLE messages ADD COLUMN encoding text',
    // Its rows have the new column.
    ...(store === 'postgres' ? ['DROP FUNCTION IF EXISTS sent_messages(text)'] : []),
  ],
};

/**
 * What devices were refused: so many requests, at this time last, with this code, operation (`by`) and reason. Its counts are 0 if
 * there is no time.
 */
const refusals: Migration = {
  name: '0031-refusals',
  statements: () => [
    'ALTER TABLE presence ADD COLUMN refused bigint NOT NULL DEFAULT 0',
    'ALTER TABLE presence ADD COLUMN refused_at bigint',
    'ALTER TABLE presence ADD COLUMN refused_as text',
    'ALTER TABLE presence ADD COLUMN refused_by text',
    'ALTER TABLE presence ADD COLUMN refused_detail text',
    'ALTER TABLE presence ADD COLUMN wrong_keys bigint NOT NULL DEFAULT 0',
    'ALTER TABLE presence ADD COLUMN wrong_key_at bigint',
    'CREATE INDEX presence_refused ON presence (refused_at) WHERE refused_at IS NOT NULL',
    'CREATE INDEX presence_wrong_keys ON presence (wrong_key_at) WHERE wrong_key_at IS NOT NULL',
  ],
};

/** `properties`: what MQTT 5 knows of a message beside its payload, as JSON. */
const messageProperties: Migration = {
  name: '0032-message-properties',
  statements: (store) => [
    'ALTER TABLE messages ADD COLUMN properties text',
    // Its rows have the new column.
    ...(store === 'postgres' ? ['DROP FUNCTION IF EXISTS sent_messages(text)'] : []),
  ],
};

/** `sent_by`: who sent an invitation, which its "from" does not say after the swarm was handed over. Null of those from before. */
const senders: Migration = {
  name: '0035-senders',
  statements: () => ['ALTER TABLE invitations ADD COLUMN sent_by text'],
};

/**
 * `silence_notices`: whether the owner, a manager or a watcher is told of silent members of the swarm. `swarm_silences`: what is to be told
 * to them at `tell_at`: the members that are silent and were not before `since`.
 */
const swarmSilences: Migration = {
  name: '0036-swarm-silences',
  statements: () => [
    'ALTER TABLE swarms ADD COLUMN silence_notices integer NOT NULL DEFAULT 1',
    'ALTER TABLE managers ADD COLUMN silence_notices integer NOT NULL DEFAULT 0',
    // Without a foreign key, whose check would wait for a deletion that waits for the presence of a device.
    `CREATE TABLE swarm_silences (swarm_id text NOT NULL PRIMARY KEY, since bigint NOT NULL, tell_at bigint, told_at bigint)
       WITHOUT ROWID`,
    'CREATE INDEX swarm_silences_due ON swarm_silences (tell_at) WHERE tell_at IS NOT NULL',
  ],
};

/**
 * Who sees the devices of a swarm, counted by triggers. `swarm_sizes`: the users who have members, the consumers, and their users.
 * `since`: when this user began to see it; '' before this version. `receivers_then`: the consumers when the device joined.
 *
 * `audience_changes`: what has changed since this version: `kind` is the role of `user_id` from then on, the reach of the swarm, or that
 * this user receives or not; `was` is what it was before, or how many users received. `at`: by the clock of the database.
 * `audience_notices`: of the changes of a swarm, those after `after_seq` are not told yet, from `tell_at` on (0: as soon as that is
 * known; null: nothing waits). Those up to `until_seq` are being told, to users after `after_user`. `told_at` and `told_before`: the
 * times of the last two notices. `user_id`: the owner, who is charged.
 */
const audience: Migration = {
  name: '0037-audience',
  statements: () => [
    'ALTER TABLE swarm_viewers ADD COLUMN consumers bigint NOT NULL DEFAULT 0',
    `ALTER TABLE swarm_viewers ADD COLUMN since text NOT NULL DEFAULT ''`,
    'ALTER TABLE swarm_sizes ADD COLUMN users bigint NOT NULL DEFAULT 0',
    'ALTER TABLE swarm_sizes ADD COLUMN consumers bigint NOT NULL DEFAULT 0',
    'ALTER TABLE swarm_sizes ADD COLUMN consumer_users bigint NOT NULL DEFAULT 0',
    'ALTER TABLE memberships ADD COLUMN receivers_then bigint',
    `UPDATE swarm_viewers SET consumers = coalesce((SELECT sum(t.resources) FROM member_tallies t WHERE t.swarm_id = swarm_viewers.swarm_id
       AND t.user_id = swarm_viewers.user_id AND t.resource_type <> 'producer'), 0) WHERE resources > 0`,
    `UPDATE swarm_sizes SET users = counted.users, consumers = counted.consumers, consumer_users = counted.consumer_users
       FROM (SELECT swarm_id, count(*) AS users, sum(consumers) AS consumers,
               sum(CASE WHEN consumers > 0 THEN 1 ELSE 0 END) AS consumer_users
             FROM swarm_viewers WHERE resources > 0 GROUP BY swarm_id) counted
       WHERE counted.swarm_id = swarm_sizes.swarm_id`,
    `CREATE TABLE audience_changes (seq integer PRIMARY KEY AUTOINCREMENT,
       swarm_id text NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, at text NOT NULL,
       kind text NOT NULL CHECK (kind IN ('owner', 'manager', 'watcher', 'none', 'private', 'open', 'listed', 'receives', 'receives_not')),
       user_id text, was text NOT NULL)`,
    'CREATE INDEX audience_changes_of_swarm ON audience_changes (swarm_id, seq)',
    'CREATE INDEX audience_changes_by_age ON audience_changes (at)',
    // '' is a user whose account has ended.
    `CREATE INDEX audience_changes_of_user ON audience_changes (user_id) WHERE user_id <> ''`,
    `CREATE TABLE audience_notices (swarm_id text NOT NULL PRIMARY KEY REFERENCES swarms (id) ON DELETE CASCADE,
       user_id text NOT NULL, after_seq bigint NOT NULL DEFAULT 0, tell_at bigint, until_seq bigint, after_user text,
       told_at bigint NOT NULL DEFAULT 0, told_before bigint NOT NULL DEFAULT 0) WITHOUT ROWID`,
    'CREATE INDEX audience_notices_waiting ON audience_notices (user_id, swarm_id) WHERE tell_at IS NOT NULL',
  ],
};

/** The time of this migration is when the changes of an audience begin. */
export const audienceMigration = audience.name;

/**
 * Values that are kept over time. `keep_values`: whose time they have (`sent_at` or `time`); null: they are not kept. `values_since`: when it
 * was last switched on. `device_values`: the number
 * of the last row of messages that was read with it, the newest points as a text and when it was begun (in ms), the last value of each key by audience, and the audiences: the sets of swarms
 * to which its messages went, by their numbers from 1; 0 is nobody but the owner. `value_blocks`: older ones (capabilities/values/value-blocks.ts).
 * `step`: 0 of points, or the seconds of a step. `starts` and `ends`: their first and last time, in ms. `value_cursor` has one row: the last row of
 * `messages` that was read, and how many were deleted before they were.
 */
const values: Migration = {
  name: '0038-values',
  statements: (store) => [
    'ALTER TABLE resources ADD COLUMN keep_values text',
    'ALTER TABLE resources ADD COLUMN values_since text',
    'CREATE INDEX resources_with_values ON resources (user_id) WHERE keep_values IS NOT NULL',
    // In SQLite, such a key needs no index.
    `CREATE TABLE device_values (ref ${store === 'sqlite' ? 'integer' : 'bigint'} NOT NULL PRIMARY KEY REFERENCES resources (ref) ON DELETE CASCADE,
       seq bigint NOT NULL, open text NOT NULL, opened_at bigint, last text NOT NULL, audiences text NOT NULL)`,
    'CREATE INDEX device_values_opened ON device_values (opened_at) WHERE opened_at IS NOT NULL',
    `CREATE TABLE value_blocks (ref bigint NOT NULL REFERENCES resources (ref) ON DELETE CASCADE, step integer NOT NULL,
       audience integer NOT NULL, part bigint NOT NULL, user_id text NOT NULL, starts bigint NOT NULL, ends bigint NOT NULL,
       points integer NOT NULL, content blob NOT NULL, PRIMARY KEY (ref, step, audience, part))`,
    'CREATE INDEX value_blocks_by_age ON value_blocks (step, ends)',
    'CREATE INDEX value_blocks_of_user ON value_blocks (user_id, ends)',
    'CREATE TABLE value_cursor (id integer NOT NULL PRIMARY KEY CHECK (id = 1), seq bigint NOT NULL, missed bigint NOT NULL)',
    // They are compressed, and small.
    ...(store === 'postgres'
      ? [
          'ALTER TABLE value_blocks ALTER COLUMN content SET STORAGE EXTERNAL',
          'ALTER TABLE device_values ALTER COLUMN open SET STORAGE EXTERNAL',
        ]
      : []),
  ],
};

/** Links that show a device without an account. `hash`: SHA-256 of a code. One that was ended has no row. */
const shareLinks: Migration = {
  name: '0039-share-links',
  statements: () => [
    `CREATE TABLE share_links (id text NOT NULL PRIMARY KEY, user_id text NOT NULL,
       resource_id text NOT NULL REFERENCES resources (id) ON DELETE CASCADE, name text NOT NULL,
       hash blob NOT NULL UNIQUE, shows_track integer NOT NULL, expires_at text NOT NULL, created_at text NOT NULL)`,
    'CREATE INDEX share_links_of_user ON share_links (user_id, expires_at)',
    'CREATE INDEX share_links_of_resource ON share_links (resource_id, created_at, id)',
    'CREATE INDEX share_links_ended ON share_links (expires_at)',
  ],
};

/**
 * `swarm.silent` is a notice of the server. `audience_notices`: whether the changes that are being told were told to anybody
 * (`was_told`), also that others receive (`told_receivers`), and when that was told last (`receivers_told_at`).
 */
const notices: Migration = {
  name: '0040-notices',
  statements: () => [
    'DROP INDEX webhook_deliveries_waiting',
    `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (user_id, session_id, (${secondDeliverySource}), seq)
       WHERE next_at IS NOT NULL`,
    'DROP INDEX audience_notices_waiting',
    'CREATE INDEX audience_notices_due ON audience_notices (tell_at) WHERE tell_at IS NOT NULL',
    'ALTER TABLE audience_notices ADD COLUMN was_told bigint NOT NULL DEFAULT 0',
    'ALTER TABLE audience_notices ADD COLUMN told_receivers bigint NOT NULL DEFAULT 0',
    'ALTER TABLE audience_notices ADD COLUMN receivers_told_at bigint NOT NULL DEFAULT 0',
  ],
};

/** The rows of `device_values` are in the share of their user, too. */
const valueBytes: Migration = {
  name: '0041-value-bytes',
  statements: () => [
    `ALTER TABLE device_values ADD COLUMN user_id text NOT NULL DEFAULT ''`,
    'UPDATE device_values SET user_id = (SELECT user_id FROM resources WHERE resources.ref = device_values.ref)',
    `INSERT INTO usage SELECT user_id, 'value_bytes', sum(octet_length(open) + octet_length(last) + octet_length(audiences) + 200)
       FROM device_values WHERE true GROUP BY user_id ORDER BY user_id
       ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount`,
  ],
};

/**
 * Devices that their owners offer to other users. `owner_since`: when a device was taken over from another owner, whose messages the new one
 * does not see. Deliveries have the source of `deliverySource` of then on.
 */
const handovers: Migration = {
  name: '0044-handovers',
  statements: (store) => [
    'ALTER TABLE resources ADD COLUMN owner_since text',
    `CREATE TABLE resource_offers (resource_id text NOT NULL PRIMARY KEY REFERENCES resources (id) ON DELETE CASCADE,
       user_id text NOT NULL, to_user text NOT NULL, with_history integer NOT NULL, offered_at text NOT NULL) WITHOUT ROWID`,
    'CREATE INDEX resource_offers_of_user ON resource_offers (user_id, to_user)',
    'CREATE INDEX resource_offers_to_user ON resource_offers (to_user, offered_at)',
    'DROP INDEX webhook_deliveries_waiting',
    `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (user_id, session_id, (${thirdDeliverySource}), seq)
       WHERE next_at IS NOT NULL`,
    // Its rows have the owner of the sender.
    ...(store === 'postgres' ? ['DROP FUNCTION IF EXISTS sent_messages(text)'] : []),
  ],
};

/**
 * `ends_at`: when a membership or the role of a watcher ends; null: it has no end. `ends_at_most`: the device's owner sets no later end than
 * the owner of the swarm has offered. Of invitations: the end that is offered. `swarm_viewers`: how many rights of the user have no end
 * (`endless`: as owner, as manager or watcher, and by members), and the last end of the others.
 * `end_notices` has one row: who ends until then was told.
 */
const consentEnds: Migration = {
  name: '0045-consent-ends',
  statements: () => [
    'ALTER TABLE memberships ADD COLUMN ends_at text',
    'ALTER TABLE memberships ADD COLUMN ends_at_most text',
    'ALTER TABLE managers ADD COLUMN ends_at text',
    'ALTER TABLE invitations ADD COLUMN ends_at text',
    'CREATE INDEX memberships_ending ON memberships (ends_at) WHERE ends_at IS NOT NULL',
    'CREATE INDEX memberships_ending_of_swarm ON memberships (swarm_id, ends_at) WHERE ends_at IS NOT NULL',
    'CREATE INDEX managers_ending ON managers (ends_at) WHERE ends_at IS NOT NULL',
    'ALTER TABLE swarm_viewers ADD COLUMN endless bigint NOT NULL DEFAULT 0',
    'ALTER TABLE swarm_viewers ADD COLUMN ends_at text',
    `UPDATE swarm_viewers SET endless = resources
       + (SELECT count(*) FROM swarms s WHERE s.id = swarm_viewers.swarm_id AND s.user_id = swarm_viewers.user_id)
       + (SELECT count(*) FROM managers m WHERE m.swarm_id = swarm_viewers.swarm_id AND m.user_id = swarm_viewers.user_id
           AND m.agreed_at IS NOT NULL)`,
    'CREATE TABLE end_notices (id integer NOT NULL PRIMARY KEY CHECK (id = 1), told_to text NOT NULL)',
    // The notices are the server's, too.
    'DROP INDEX webhook_deliveries_waiting',
    `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (user_id, session_id, (${deliverySource}), seq)
       WHERE next_at IS NOT NULL`,
  ],
};

/**
 * `to_user`: the owner of the device that a message was sent to, as `user_id` of the sender. The id that a client gives to a message is one of
 * the sender and its owner.
 */
const messageOwners: Migration = {
  name: '0046-message-owners',
  statements: () => [
    'ALTER TABLE messages ADD COLUMN to_user text',
    'DROP INDEX messages_named',
    'CREATE UNIQUE INDEX messages_named ON messages (sender_id, id, swarm_id, user_id) WHERE is_named = 1',
  ],
};

/** `user_id`: the owner of a member that has an end, so that the last end of a user's members is found without those of others. */
const ownEnds: Migration = {
  name: '0047-own-ends',
  statements: () => [
    'ALTER TABLE memberships ADD COLUMN user_id text',
    `UPDATE memberships SET user_id = (SELECT r.user_id FROM resources r WHERE r.id = memberships.resource_id)
       WHERE ends_at IS NOT NULL`,
    'DROP INDEX memberships_ending_of_swarm',
    'CREATE INDEX memberships_ending_of_user ON memberships (swarm_id, user_id, ends_at) WHERE ends_at IS NOT NULL',
  ],
};

/** What was done with a step of a sign-in, so that it is done once (accounts/steps.store.ts). */
const usedSteps: Migration = {
  name: '0050-used-steps',
  statements: () => [`CREATE TABLE used_steps (id text NOT NULL PRIMARY KEY, expires_at text NOT NULL) WITHOUT ROWID`],
};

/** `confirmed_at`: when the user has last shown that it is them, which the sign-in does. `way`: by what the user has signed in. */
const confirmedSessions: Migration = {
  name: '0053-confirmed-sessions',
  statements: () => [
    'ALTER TABLE session ADD COLUMN confirmed_at text',
    `ALTER TABLE session ADD COLUMN way text NOT NULL DEFAULT 'password'`,
  ],
};

/** Keys from before may do everything. */
const keyScopes: Migration = {
  name: '0054-key-scopes',
  statements: () => [
    `ALTER TABLE api_keys ADD COLUMN scope text NOT NULL DEFAULT 'all' CHECK (scope IN ('all', 'read', 'position'))`,
    'ALTER TABLE api_keys ADD COLUMN refused_at text',
    'ALTER TABLE api_keys ADD COLUMN refused_operation text',
  ],
};

const kindsOfAudience = `'owner', 'manager', 'watcher', 'none', 'private', 'open', 'listed', 'receives', 'receives_not', 'links', 'links_not'`;

/** SQLite cannot change the check of a column. */
const changesWithKinds = (kinds: string) => [
  'DROP INDEX audience_changes_of_swarm',
  'DROP INDEX audience_changes_by_age',
  'DROP INDEX audience_changes_of_user',
  'ALTER TABLE audience_changes RENAME TO earlier_changes',
  `CREATE TABLE audience_changes (seq integer PRIMARY KEY AUTOINCREMENT,
             swarm_id text NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, at text NOT NULL,
             kind text NOT NULL CHECK (kind IN (${kinds})), user_id text, was text NOT NULL)`,
  // The numbers of deleted rows are not given out again: `audience_notices` has them.
  `INSERT INTO sqlite_sequence (name, seq) SELECT 'audience_changes', seq FROM sqlite_sequence WHERE name = 'earlier_changes'`,
  'INSERT INTO audience_changes SELECT seq, swarm_id, at, kind, user_id, was FROM earlier_changes',
  'DROP TABLE earlier_changes',
  'CREATE INDEX audience_changes_of_swarm ON audience_changes (swarm_id, seq)',
  'CREATE INDEX audience_changes_by_age ON audience_changes (at)',
  `CREATE INDEX audience_changes_of_user ON audience_changes (user_id) WHERE user_id <> ''`,
];

/**
 * `links`, `links_not`: a swarm has links by which users join without asking, or has none any more. `join_requests.ends_at`: of the membership that
 * is asked for.
 */
const newLinks: Migration = {
  name: '0056-new-links',
  statements: (store) => [
    'ALTER TABLE join_requests ADD COLUMN ends_at text',
    ...(store === 'postgres'
      ? [
          'ALTER TABLE audience_changes DROP CONSTRAINT audience_changes_kind_check',
          `ALTER TABLE audience_changes ADD CONSTRAINT audience_changes_kind_check CHECK (kind IN (${kindsOfAudience}))`,
        ]
      : changesWithKinds(kindsOfAudience)),
  ],
};

/** `id` and `public_key`: of WebAuthn. `counter`: how often a security key was used, or 0. */
const passkeys: Migration = {
  name: '0057-passkeys',
  statements: () => [
    `CREATE TABLE passkeys (id text NOT NULL PRIMARY KEY, user_id text NOT NULL, name text NOT NULL, public_key blob NOT NULL,
       counter bigint NOT NULL, transports text NOT NULL, created_at text NOT NULL, last_used_on text) WITHOUT ROWID`,
    'CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at)',
  ],
};

/** `sealed`: the secret of a user's authenticator app. `last_step`: of the last code that was used. */
const totp: Migration = {
  name: '0058-totp',
  statements: () => [
    `CREATE TABLE totp (user_id text NOT NULL PRIMARY KEY, sealed blob NOT NULL, last_step bigint NOT NULL,
       confirmed_at text) WITHOUT ROWID`,
  ],
};

/** A sign-in from a new browser is a notice (triggers/activity.ts). */
const newBrowsers: Migration = { name: '0059-new-browsers', statements: () => [] };

/**
 * Users of providers (OpenID Connect) who are users here. `role_from`: the provider whose claim has made the user an operator; its
 * next sign-in without the claim takes the role away.
 */
const identities: Migration = {
  name: '0055-identities',
  statements: () => [
    `CREATE TABLE identities (provider text NOT NULL, subject text NOT NULL, user_id text NOT NULL, created_at text NOT NULL,
       PRIMARY KEY (provider, subject)) WITHOUT ROWID`,
    'CREATE UNIQUE INDEX identities_of_user ON identities (user_id, provider)',
    'ALTER TABLE "user" ADD COLUMN role_from text',
  ],
};

/** Requests to join end with the membership that they ask for: the next one is found. */
const requestEnds: Migration = {
  name: '0060-request-ends',
  statements: () => [
    `CREATE INDEX join_requests_ending ON join_requests (ends_at) WHERE ends_at IS NOT NULL AND status = 'new'`,
  ],
};

/** Each user has at most one verified and one unverified address. `asked_at`: when the user entered it. `verified_at`: when the link of an email was used. */
const addresses: Migration = {
  name: '0061-addresses',
  statements: () => [
    `CREATE TABLE addresses (user_id text NOT NULL, address text NOT NULL, language text NOT NULL,
       asked_at text NOT NULL, verified_at text, PRIMARY KEY (user_id, address)) WITHOUT ROWID`,
  ],
};

const kindsOfGuests = `${kindsOfAudience}, 'guests', 'guests_not'`;

/**
 * A link shows a device, or the members of a swarm with `shown_by_links`, which their owners set. `swarm_viewers.shown`: how many of the
 * user. `guests`, `guests_not`: a swarm has such links, or has none any more. `join_requests.shown_by_links`: of the membership that is asked for.
 */
const swarmLinks: Migration = {
  name: '0062-swarm-links',
  statements: (store) => [
    'ALTER TABLE memberships ADD COLUMN shown_by_links bigint NOT NULL DEFAULT 0',
    'ALTER TABLE join_requests ADD COLUMN shown_by_links bigint NOT NULL DEFAULT 0',
    'ALTER TABLE swarm_viewers ADD COLUMN shown bigint NOT NULL DEFAULT 0',
    'CREATE INDEX memberships_shown ON memberships (swarm_id) WHERE shown_by_links = 1',
    ...(store === 'postgres'
      ? [
          'ALTER TABLE share_links ALTER COLUMN resource_id DROP NOT NULL',
          'ALTER TABLE share_links ADD COLUMN swarm_id text REFERENCES swarms (id) ON DELETE CASCADE',
          'ALTER TABLE audience_changes DROP CONSTRAINT audience_changes_kind_check',
          `ALTER TABLE audience_changes ADD CONSTRAINT audience_changes_kind_check CHECK (kind IN (${kindsOfGuests}))`,
        ]
      : [
          'DROP INDEX share_links_of_user',
          'DROP INDEX share_links_of_resource',
          'DROP INDEX share_links_ended',
          'ALTER TABLE share_links RENAME TO earlier_links',
          `CREATE TABLE share_links (id text NOT NULL PRIMARY KEY, user_id text NOT NULL,
             resource_id text REFERENCES resources (id) ON DELETE CASCADE, name text NOT NULL,
             hash blob NOT NULL UNIQUE, shows_track integer NOT NULL, expires_at text NOT NULL, created_at text NOT NULL,
             swarm_id text REFERENCES swarms (id) ON DELETE CASCADE)`,
          'INSERT INTO share_links SELECT id, user_id, resource_id, name, hash, shows_track, expires_at, created_at, NULL FROM earlier_links',
          'DROP TABLE earlier_links',
          'CREATE INDEX share_links_of_user ON share_links (user_id, expires_at)',
          'CREATE INDEX share_links_of_resource ON share_links (resource_id, created_at, id)',
          'CREATE INDEX share_links_ended ON share_links (expires_at)',
          ...changesWithKinds(kindsOfGuests),
        ]),
    'CREATE INDEX share_links_of_swarm ON share_links (swarm_id, created_at, id) WHERE swarm_id IS NOT NULL',
  ],
};

/** The open pages of users who see a swarm show at once who else begins or stops to see it: only triggers have changed (triggers/audience.ts). */
const seenChanges: Migration = { name: '0063-seen-changes', statements: () => [] };

/** An offer of a later end is a notice (triggers/activity.ts). */
const laterEnds: Migration = { name: '0065-later-ends', statements: () => [] };

/** Only triggers have changed: those of former members and of the limits of the activity read fewer rows. */
const cheaperTriggers: Migration = { name: '0067-cheaper-triggers', statements: () => [] };

/** The invitation offers a member a later end. It is stored because the membership of an answered or expired one may be another, or none. */
const storedLaterEnds: Migration = {
  name: '0068-stored-later-ends',
  statements: () => ['ALTER TABLE invitations ADD COLUMN is_later_end integer NOT NULL DEFAULT 0'],
};

/** An index of parts of ids (store/messages-of-sender.ts). On PostgreSQL, only a function is created. */
const partsOfSenders: Migration = {
  name: '0069-parts-of-senders',
  statements: (store) =>
    store === 'postgres'
      ? []
      : [
          'DROP INDEX messages_of_sender',
          'CREATE INDEX messages_of_sender ON messages (substr(sender_id, 25), substr(swarm_id, 33), seq)',
        ],
};

/** The action that tries the failed items of another one again (triggers/actions.ts). */
const retriedActions: Migration = {
  name: '0070-retried-actions',
  statements: () => ['ALTER TABLE actions ADD COLUMN retried_by text'],
};

/** Only triggers have changed: on PostgreSQL, their plans use indexes (triggers/trigger.ts). */
const indexedTriggers: Migration = { name: '0071-indexed-triggers', statements: () => [] };

/**
 * `joined_by`: nobody has sent the invitation. It was stored as accepted when the device joined by a link, or by its own request,
 * which the lists of both users show instead.
 */
const joinedBy: Migration = {
  name: '0072-joined-by',
  statements: () => [
    'ALTER TABLE invitations ADD COLUMN joined_by text',
    `UPDATE invitations SET joined_by = 'link'
       WHERE link_id IS NOT NULL AND status = 'accepted' AND sent_by IS NULL AND sent_at = accepted_at`,
    `UPDATE invitations SET joined_by = 'request'
       WHERE link_id IS NULL AND status = 'accepted' AND sent_at = accepted_at AND EXISTS (SELECT 1 FROM join_requests q
         WHERE q.swarm_id = invitations.swarm_id AND q.resource_id = invitations.resource_id
           AND q.user_id = invitations."to" AND q.status = 'accepted' AND q.ended_at = invitations.accepted_at)`,
    'DROP INDEX invitations_inbox',
    'DROP INDEX invitations_outbox',
    'CREATE INDEX invitations_inbox ON invitations ("to", status, changed_at, is_second, joined_by)',
    'CREATE INDEX invitations_outbox ON invitations ("from", status, changed_at, is_second, joined_by)',
  ],
};

/**
 * `attempt`: the client sends it with each try to create something whose secret is shown once, and to sign up. What an earlier try has created
 * is deleted by the next one. `opened_at`: when somebody has opened the link last.
 */
const attempts: Migration = {
  name: '0073-attempts',
  statements: () => [
    'ALTER TABLE share_links ADD COLUMN opened_at text',
    'ALTER TABLE share_links ADD COLUMN attempt text',
    'ALTER TABLE api_keys ADD COLUMN attempt text',
    'CREATE INDEX api_keys_of_attempt ON api_keys (user_id, attempt) WHERE attempt IS NOT NULL',
    'ALTER TABLE session ADD COLUMN attempt text',
  ],
};

/** Of an undo: how many of the items that failed were left as they are, because they had changed since. */
const keptItems: Migration = {
  name: '0074-kept-items',
  statements: () => ['ALTER TABLE actions ADD COLUMN kept bigint NOT NULL DEFAULT 0'],
};

/**
 * `samples` of a block of points: the number of its values; null in older ones. `due`: as which time it is summarised, if that is not `ends`: points that were late wait as long as others. The index is by user.
 * `times_since`: when a device has gone on with its own times, in ms. `known_keys`: its states, and numbers that are not recorded
 * (capabilities/values/recorded-keys.ts). `chosen_keys`: JSON, null if the owner has chosen none.
 */
const lateValues: Migration = {
  name: '0075-late-values',
  statements: () => [
    'ALTER TABLE value_blocks ADD COLUMN due bigint',
    'ALTER TABLE value_blocks ADD COLUMN samples integer',
    'ALTER TABLE device_values ADD COLUMN times_since bigint',
    `ALTER TABLE device_values ADD COLUMN known_keys text NOT NULL DEFAULT ''`,
    'ALTER TABLE device_values ADD COLUMN chosen_keys text',
    'DROP INDEX value_blocks_by_age',
    'CREATE INDEX value_blocks_due ON value_blocks (step, user_id, (coalesce(due, ends)))',
  ],
};

/**
 * Mails that wait, a row for each link and each change. Text and link are made when one is sent. `kind`: `verify` and `link` are links, another one is what has
 * changed. `next_at`, `ends_at`: times in ms. The table is small, and always read whole. An address is found in any letter case.
 */
const mails: Migration = {
  name: '0076-mails',
  statements: () => [
    `CREATE TABLE mails (seq integer PRIMARY KEY AUTOINCREMENT, user_id text NOT NULL, kind text NOT NULL, address text NOT NULL,
       language text NOT NULL, user_agent text, at text NOT NULL, attempts bigint NOT NULL DEFAULT 0, next_at bigint NOT NULL,
       ends_at bigint NOT NULL)`,
    'CREATE INDEX addresses_verified ON addresses (lower(address)) WHERE verified_at IS NOT NULL',
  ],
};

/** What links of a swarm show is read in parts, by the ids of its members. */
const shownMembers: Migration = {
  name: '0077-shown-members',
  statements: () => [
    'DROP INDEX memberships_shown',
    'CREATE INDEX memberships_shown ON memberships (swarm_id, resource_id) WHERE shown_by_links = 1',
  ],
};

/** The activity keeps earlier equal entries of memberships and invitations: only triggers have changed (triggers/activity.ts). */
const repeatedEntries: Migration = { name: '0066-repeated-entries', statements: () => [] };

/**
 * `set_id`: of the codes that were shown together. `stored`: whether the user has said that they are stored; codes from before count as
 * stored. Also for triggers: who offered something to a name that nobody had is told when a user takes it (triggers/user.ts).
 */
const storedCodes: Migration = {
  name: '0064-stored-codes',
  statements: () => [
    'ALTER TABLE recovery_codes ADD COLUMN set_id text',
    'ALTER TABLE recovery_codes ADD COLUMN stored bigint NOT NULL DEFAULT 1',
  ],
};

/**
 * In the order they are applied. One that was released never changes. All triggers are created again after the last one, so
 * a change of a trigger needs a migration too, which may have no statements.
 */
export const migrations: readonly Migration[] = [
  base,
  joinLinks,
  operator,
  secretFingerprint,
  directory,
  managers,
  joinRequests,
  labelsAndPairs,
  messages,
  openActions,
  swarmTexts,
  messagesOfSender,
  presence,
  watchers,
  gatheredNotices,
  quietDeletions,
  tracks,
  trackParts,
  push,
  silenceNotices,
  presenceTurns,
  toldSilences,
  messageGaps,
  messageBytes,
  noticeSources,
  positionReports,
  phones,
  connections,
  recoveryCodes,
  messageEncodings,
  refusals,
  messageProperties,
  senders,
  swarmSilences,
  audience,
  values,
  shareLinks,
  notices,
  valueBytes,
  handovers,
  consentEnds,
  messageOwners,
  ownEnds,
  usedSteps,
  confirmedSessions,
  keyScopes,
  newLinks,
  passkeys,
  totp,
  newBrowsers,
  identities,
  requestEnds,
  addresses,
  swarmLinks,
  seenChanges,
  storedCodes,
  laterEnds,
  repeatedEntries,
  cheaperTriggers,
  storedLaterEnds,
  partsOfSenders,
  retriedActions,
  indexedTriggers,
  joinedBy,
  attempts,
  keptItems,
  lateValues,
  mails,
  shownMembers,
];

/** The newest version of the tables that this program knows. */
export const newestMigration = migrations.at(-1)!.name;

/** A migration that this program does not know: a newer one has applied it. */
export const unknownMigration = (names: readonly string[], all = migrations): string | undefined =>
  names.find((name) => all.every((migration) => migration.name !== name));

/** Tables whose rows belong to one database. */
const tablesOfStore = /^(feed\w*|swarmdeck_migrations)$/;
/** The tables that both stores have. Referenced tables come first. */
export const sharedTables: readonly string[] = [
  ...new Set(
    migrations
      .flatMap(({ statements }) => statements('sqlite'))
      .flatMap((statement) => /^CREATE TABLE "?(\w+)/.exec(statement)?.[1] ?? [])
      .filter((name) => !tablesOfStore.test(name)),
  ),
];

/** The names of the migrations that a database has; undefined if it has no table of them. */
interface AppliedMigrations {
  names: readonly string[] | undefined;
  /** Whether it has the table that versions from before the first release had instead. */
  isUnreleased: boolean;
}

/** What brings a database up to date. @throws StorageError if nothing does */
export function pendingMigrations(
  { names = [], isUnreleased }: AppliedMigrations,
  all = migrations,
): readonly Migration[] {
  if (isUnreleased)
    throw new StorageError(
      'away',
      'was written by a version from before the first release. This version cannot open it',
    );
  const unknown = unknownMigration(names, all);
  if (unknown !== undefined)
    throw new StorageError(
      'away',
      `was written by a newer version of Swarmdeck (${unknown}): start that one, or a newer one`,
    );
  return all.filter(({ name }) => !names.includes(name));
}

/** All statements of a migration, for one store. The last one stores that it was applied. */
export const statementsOf = (store: Store, { name, statements }: Migration): string[] => [
  ...statements(store).map((statement) => statementFor(store, statement)),
  `INSERT INTO swarmdeck_migrations VALUES ('${name}', '${new Date().toISOString()}')`,
];
