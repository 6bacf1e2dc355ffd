import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { changedSince } from './changed-since.ts';
import { openDatabase } from './open-database.ts';

/** Nothing of these comes back: they are deleted when the copy is adopted, some with their session. */
const deleted = ['session', 'push_subscriptions', 'share_links', 'resource_offers', 'silences', 'mails'];

/** Columns that give nobody a right, by table: names, times, what was counted or recorded, what is offered in an open offer. */
const givesNone: Record<string, string> = {
  account:
    'accountId providerId userId accessToken refreshToken idToken accessTokenExpiresAt refreshTokenExpiresAt scope createdAt updatedAt',
  // All are paused.
  action_parts: 'action_id part items before results',
  actions:
    'id user_id kind about state total done failed undoable wait runs_at created_at ended_at is_dismissed undone_by taken_by taken_until bytes retried_by kept',
  activity: 'user_id seq at kind actor resource_id resource_name resource_owner swarm_id swarm_name detail amount',
  activity_read: 'user_id seq',
  addresses: 'language asked_at',
  api_keys: 'user_id name hash ends_in created_at last_used_on refused_at refused_operation attempt',
  audience_changes: 'seq swarm_id at kind user_id was',
  audience_notices:
    'swarm_id user_id after_seq tell_at until_seq after_user told_at told_before was_told told_receivers receivers_told_at',
  blocked_users: 'blocked_at',
  demo_records: 'user_id kind id',
  device_values: 'ref seq open opened_at last audiences user_id times_since known_keys chosen_keys',
  directory: 'swarm_id user_id name_key search_text members active_at',
  end_notices: 'id told_to',
  feed: 'seq at kind owner recipient ref resource_id swarm_id record_id swarms_before users_before is_bulk',
  feed_name: 'name',
  // Of the browsers' sessions, which have ended.
  held_keys: 'user_id key_id sealed created_at',
  idempotency: 'user_id key body_hash answer created_at',
  identities: 'created_at',
  invitations:
    'from to swarm_id resource_id resource_type description sent_at accepted_at rejected_at created_at changed_at last_known_name link_id label label_folded is_second sent_by ends_at is_later_end joined_by',
  join_links: 'swarm_id name joined created_at',
  join_requests:
    'swarm_id swarm_name user_id resource_id resource_name resource_folded machine_type resource_type message asked_at ended_at changed_at ends_at shown_by_links',
  leases: 'name holder until',
  managers: 'asked_at silence_notices',
  member_tallies: 'swarm_id user_id machine_type resource_type resources',
  memberships: 'receivers_then user_id',
  message_gaps: 'swarm_id to_id seq sender_id other_seq',
  messages: 'seq id swarm_id sender_id to_id sent_at payload is_named rest user_id encoding properties to_user',
  passkeys: 'user_id name public_key counter transports created_at last_used_on',
  pauses: 'started_at ended_at',
  presence:
    'ref heard_at state changed_at due_at phone connected_to refused refused_at refused_as refused_by refused_detail wrong_keys wrong_key_at',
  push_keys: 'user_id sealed',
  recovery_codes: 'set_id stored',
  resources:
    'ref name machine_type description longitude latitude created_at modified_at changed_at version name_key name_folded description_folded expected_every positioned_at accuracy located_at owner_since',
  retired_names: 'name',
  saved_views: 'id user_id name name_folded name_key url created_at updated_at',
  secret_fingerprint: 'id fingerprint',
  // Made of members, managers and owners.
  swarm_silences: 'swarm_id since tell_at told_at',
  swarm_sizes: 'swarm_id members users consumers consumer_users',
  swarm_texts: 'swarm_id name_key search_text',
  swarm_viewers: 'swarm_id user_id resources consumers since endless ends_at shown',
  swarmdeck_migrations: 'name at',
  swarms: 'name description created_at version modified_at expected_every expected_after owner_since silence_notices',
  totp: 'last_step',
  tracks: 'ref part at longitude latitude points',
  usage: 'user_id kind amount',
  // The end of each was minutes after it.
  used_steps: 'id expires_at',
  user: 'name email emailVerified image createdAt updatedAt username displayUsername role_from',
  value_blocks: 'ref step audience part user_id starts ends points content due samples',
  value_cursor: 'id seq missed',
  verification: 'id identifier value expiresAt createdAt updatedAt',
  webhook_deliveries:
    'seq user_id at kind resource_id resource_name swarm_id swarm_name amount detail attempts tried_at next_at status answer session_id',
  webhooks: 'created_at',
};

test('each column of each table is compared by a rule, or is known to give no right', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const db = await openDatabase({ url: pathToFileURL(join(folder, 'swarmdeck.db')).href });
  const columns = await db.read<{ table: string; column: string }>({
    sql: `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_xinfo(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  });
  await db.close();
  const compared = Object.values(changedSince)
    .flat()
    .flatMap(({ of, ...rule }) => {
      const keys = 'lost' in rule ? of.key : [];
      const gaining = 'more' in rule ? Object.keys(rule.more) : [];
      return [...keys, ...Object.keys(of.gives ?? {}), ...gaining].map(
        (column) => `${of.table.replaceAll('"', '')}.${column}`,
      );
    });
  const none = Object.entries(givesNone).flatMap(([table, names]) =>
    names.split(' ').map((name) => `${table}.${name}`),
  );
  const known = columns
    .filter(({ table }) => !deleted.includes(table))
    .map(({ table, column }) => `${table}.${column}`);
  expect([...new Set(compared), ...none].toSorted()).toEqual(known.toSorted());
});
