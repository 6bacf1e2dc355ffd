/** The triggers of both stores. Each migration creates all of them again, so that they always fit the tables. */
import { messageLimits, noticeMs, pushLimits, serverActor, webhookLimits } from '../../limits/field-rules.ts';
import { columnsOf, fieldNames } from '../resource-fields.ts';
import { postgresOnly } from './postgres-only.ts';
import { activitySource, deliverySource, type Store } from './tables.ts';

/** The deletion of this many members or more is one entry, after which subscribers read the whole swarm again. */
const bulkFrom = 500;
/** Entries of a user's log, by who causes them: those of the server have a limit of their own. */
const activityLimits = [
  { of: `${activitySource} = 'account'`, most: 1000 },
  { of: `${activitySource} = 'own'`, most: 10_000 },
  { of: `${activitySource} = 'others' AND actor <> '${serverActor}'`, most: 10_000 },
  { of: `${activitySource} = 'others' AND actor = '${serverActor}'`, most: 5000 },
];
/** Looking at 10,000 entries for each new one was half of the time of an action on many records. */
const activityLimitEach = 256;

type RowName = 'old' | 'new';

/** It runs for each row. `when`: a condition. `body`: statements that each end with a semicolon. */
interface Trigger {
  name: string;
  on: string;
  when?: string;
  body: string;
}

/** The function of a trigger has its name: `store/postgres/migrate.ts` deletes these before it creates them again. */
function postgresTrigger({ name, on, when, body }: Trigger): string[] {
  const returned = on.startsWith('AFTER') ? 'NULL' : on.startsWith('BEFORE DELETE') ? 'old' : 'new';
  // PostgreSQL has no subqueries in a trigger's own condition.
  const isInBody = when?.includes('SELECT') === true;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       ${isInBody ? `IF ${when} THEN ${body} END IF;` : body} RETURN ${returned}; END $$`,
    `CREATE TRIGGER ${name} ${on} FOR EACH ROW ${when && !isInBody ? `WHEN (${when})` : ''} EXECUTE FUNCTION ${name}()`,
  ];
}

const sqliteTrigger = ({ name, on, when, body }: Trigger): string[] => [
  `CREATE TRIGGER ${name} ${on} ${when ? `WHEN ${when}` : ''} BEGIN ${body} END`,
];

const bytesOfMessage = (row: RowName) => `(octet_length(${row}.payload) + ${messageLimits.rowBytes})`;

/** The statements that create the triggers. */
export function createTriggers(store: Store): string[] {
  return store === 'sqlite'
    ? triggersOf(store).flatMap(sqliteTrigger)
    : [...triggersOf(store).flatMap(postgresTrigger), ...postgresOnly];
}

/** How many of a kind a user has. */
const count = (kind: string, row: RowName, change: '+' | '-', { owner = 'user_id', when = 'true' } = {}) =>
  change === '+'
    ? `INSERT INTO usage SELECT ${row}."${owner}", '${kind}', 1 WHERE ${when}
         ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + 1;`
    : `UPDATE usage SET amount = amount - 1 WHERE user_id = ${row}."${owner}" AND kind = '${kind}' AND ${when};`;

const tally = (row: RowName, change: '+' | '-') =>
  change === '+'
    ? `INSERT INTO member_tallies
         SELECT ${row}.swarm_id, user_id, machine_type, ${row}.resource_type, 1 FROM resources
           WHERE id = ${row}.resource_id
         ON CONFLICT (swarm_id, user_id, machine_type, resource_type)
         DO UPDATE SET resources = member_tallies.resources + 1;`
    : `UPDATE member_tallies SET resources = member_tallies.resources - 1 FROM resources r
         WHERE r.id = ${row}.resource_id AND member_tallies.swarm_id = ${row}.swarm_id
           AND member_tallies.user_id = r.user_id AND member_tallies.machine_type = r.machine_type
           AND member_tallies.resource_type = ${row}.resource_type;
       DELETE FROM member_tallies WHERE swarm_id = ${row}.swarm_id AND resources = 0;`;

const ofResource = (row: RowName) => ({ owner: `${row}.user_id`, ref: `${row}.ref`, resource_id: `${row}.id` });
const ofInvitation = (row: RowName) => ({
  owner: `${row}."from"`,
  recipient: `${row}."to"`,
  record_id: `${row}.id`,
  resource_id: `${row}.resource_id`,
  swarm_id: `${row}.swarm_id`,
});
const ofLink = {
  owner: '(SELECT user_id FROM swarms WHERE id = new.swarm_id)',
  swarm_id: 'new.swarm_id',
  record_id: 'new.id',
};
const ofManager = (row: RowName) => ({
  owner: `(SELECT user_id FROM swarms WHERE id = ${row}.swarm_id)`,
  recipient: `${row}.user_id`,
  swarm_id: `${row}.swarm_id`,
});
/** `recipient`: who answers. */
const ofRequest = (row: RowName) => ({
  owner: `(SELECT user_id FROM swarms WHERE id = ${row}.swarm_id)`,
  recipient: `${row}.user_id`,
  record_id: `${row}.id`,
  resource_id: `${row}.resource_id`,
  swarm_id: `${row}.swarm_id`,
});
/** A swarm that is being destroyed has no owner. */
const isVisible = (row: RowName) => `coalesce((SELECT user_id FROM swarms WHERE id = ${row}.swarm_id), '') <> ''`;
const members = (swarm: string) => `coalesce((SELECT members FROM swarm_sizes WHERE swarm_id = ${swarm}), 0)`;

/**
 * Marks the second invitations of pairs: sent by the same user at the same time with the same message, and answered at the
 * same time or both open. Answering or sending only one of them ends the pair.
 */
const pairs = (row: RowName, isOpen: boolean) => {
  const status = isOpen ? `= 'new'` : `<> 'new'`;
  const answeredTogether = 'AND other.status = invitations.status AND other.changed_at = invitations.changed_at';
  return `UPDATE invitations SET is_second = 1 - is_second
    WHERE swarm_id = ${row}.swarm_id AND resource_id = ${row}.resource_id AND resource_type = 'consumer'
      AND status ${status} AND (is_second = 1) <> EXISTS (
        SELECT 1 FROM invitations other WHERE other.swarm_id = invitations.swarm_id
          AND other.resource_id = invitations.resource_id AND other.resource_type = 'producer'
          AND other.status ${status} ${isOpen ? '' : answeredTogether} AND other."from" = invitations."from"
          AND other.sent_at = invitations.sent_at
          AND other.description IS NOT DISTINCT FROM invitations.description);`;
};

const isRename = `new.kind IN ('resource.renamed', 'swarm.renamed')`;
/** What a user did not do, and wants to be told. A swarm's owner is not invited by its manager. */
const isNotice = `(new.actor = '${serverActor}' OR (new.actor <> new.user_id AND new.kind IN
  ('invitation.requested', 'swarm.offered', 'swarm.manager_asked', 'swarm.watcher_asked'))
  OR (new.kind = 'invitation.sent' AND new.resource_owner = new.user_id AND new.actor <> new.user_id))`;
/** A device that is heard within five seconds of a change is online only after them, with the next round. */
const wasHeard = '(new.heard_at <> old.heard_at OR new.heard_at > old.changed_at)';
const isAboutAccount = `substr(new.kind, 1, 8) = 'account.'`;

function triggersOf(store: Store): Trigger[] {
  const isSqlite = store === 'sqlite';
  const feed = isSqlite ? 'feed' : 'feed_pending';

  /** Appends one entry to the feed; `values` are SQL expressions. */
  const append = (kind: string, values: Record<string, string>, { when }: { when?: string } = {}) => {
    const selected = [`'${kind}'`, ...Object.values(values)].join(', ');
    return `INSERT INTO ${feed} (${['kind', ...Object.keys(values)].join(', ')})
      ${when === undefined ? `VALUES (${selected})` : `SELECT ${selected} WHERE ${when}`};`;
  };
  const appendMember = (row: RowName, when = 'true') =>
    `INSERT INTO ${feed} (kind, owner, ref, resource_id, swarm_id)
       SELECT 'membership.changed', user_id, ref, id, ${row}.swarm_id FROM resources
         WHERE id = ${row}.resource_id AND (${when});`;
  const appendPresence = `INSERT INTO ${feed} (kind, owner, ref, resource_id)
    SELECT 'presence.changed', user_id, ref, id FROM resources WHERE ref = new.ref;`;
  /** Everyone who could know of the swarm, and whether so many members go with it that they get no entries. */
  const appendSwarmDestroyed = (isBulk: string, when: string) =>
    append(
      'swarm.destroyed',
      {
        owner: 'old.user_id',
        swarm_id: 'old.id',
        users_before: `(SELECT string_agg(user_id, ',') FROM (SELECT user_id FROM swarm_viewers WHERE swarm_id = old.id
          UNION SELECT user_id FROM managers WHERE swarm_id = old.id
          UNION SELECT "to" FROM invitations WHERE swarm_id = old.id
          UNION SELECT user_id FROM join_requests WHERE swarm_id = old.id AND status = 'new') known)`,
        is_bulk: isBulk,
      },
      { when },
    );
  /** One entry for each new, changed or deleted row. */
  const appendOn = (name: string, on: string, ...entry: Parameters<typeof append>): Trigger => ({
    name,
    on,
    body: append(...entry),
  });

  const dayBefore = isSqlite
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', new.at, '-1 day')`
    : `to_char(new.at::timestamptz AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const gatheredAt = `${isSqlite ? `strftime('%s', new.at)` : 'extract(epoch FROM new.at::timestamptz)'} * 1000 + ${noticeMs.gather}`;
  /** Waits for more of the same: an action invites up to 500 devices, each in an entry of its own. */
  const gathered = `user_id = new.user_id AND kind = new.kind AND swarm_id = new.swarm_id
    AND detail IS NOT DISTINCT FROM new.detail AND attempts = 0 AND next_at > 0`;
  /** `|| ''` and `+ 0` keep SQLite from using the primary key, which finds all entries of the user. */
  const repeated = `coalesce(resource_id, '') = coalesce(new.resource_id, '')
    AND coalesce(swarm_id, '') = coalesce(new.swarm_id, '') AND kind = new.kind AND actor = new.actor
    AND user_id || '' = new.user_id AND seq + 0 < new.seq AND at > ${dayBefore}`;
  const trimWhere = (where: string, most: number) => `DELETE FROM activity WHERE ${where} AND seq <=
      (SELECT seq FROM activity WHERE ${where} ORDER BY seq DESC LIMIT 1 OFFSET ${most});`;

  return [
    {
      name: 'retired_names_stay',
      on: 'BEFORE INSERT ON "user"',
      when: 'EXISTS (SELECT 1 FROM retired_names WHERE name = new.username)',
      body: isSqlite
        ? `SELECT RAISE(ABORT, 'UNIQUE constraint failed: user.username');`
        : `RAISE unique_violation USING MESSAGE = 'the user name is retired';`,
    },

    // PostgreSQL has one for all rows of a statement, because a batch creates many (postgres-only.ts).
    ...(isSqlite
      ? [
          {
            name: 'messages_sent',
            on: 'AFTER INSERT ON messages',
            when: 'new.user_id IS NOT NULL',
            body: `INSERT INTO usage VALUES (new.user_id, 'message_bytes', ${bytesOfMessage('new')})
              ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;`,
          },
          {
            name: 'messages_deleted',
            on: 'AFTER DELETE ON messages',
            when: 'old.user_id IS NOT NULL',
            body: `UPDATE usage SET amount = amount - ${bytesOfMessage('old')}
              WHERE user_id = old.user_id AND kind = 'message_bytes';`,
          },
          {
            name: 'resources_created',
            on: 'AFTER INSERT ON resources',
            body: `${count('resources', 'new', '+')} ${append('resource.created', ofResource('new'))}`,
          },
        ]
      : []),
    {
      name: 'resource_type_changed',
      on: 'AFTER UPDATE OF machine_type ON resources',
      when: 'new.machine_type <> old.machine_type',
      body: `UPDATE member_tallies SET resources = member_tallies.resources - 1 FROM memberships m
          WHERE m.resource_id = old.id AND member_tallies.swarm_id = m.swarm_id
            AND member_tallies.user_id = old.user_id AND member_tallies.machine_type = old.machine_type
            AND member_tallies.resource_type = m.resource_type;
        DELETE FROM member_tallies WHERE resources = 0
          AND swarm_id IN (SELECT swarm_id FROM memberships WHERE resource_id = old.id);
        INSERT INTO member_tallies SELECT swarm_id, new.user_id, new.machine_type, resource_type, 1
          FROM memberships WHERE resource_id = new.id ORDER BY swarm_id
          ON CONFLICT (swarm_id, user_id, machine_type, resource_type)
          DO UPDATE SET resources = member_tallies.resources + 1;`,
    },
    // By the columns that the statement sets, because a value may be set again. Every update sets `changed_at`: one that
    // also sets the name has two entries.
    appendOn(
      'resource_updated',
      `AFTER UPDATE OF ${fieldNames
        .filter((name) => name !== 'position')
        .flatMap(columnsOf)
        .join(', ')} ON resources`,
      'resource.updated',
      ofResource('new'),
    ),
    appendOn(
      'resource_moved',
      `AFTER UPDATE OF ${columnsOf('position').join(', ')}, changed_at ON resources`,
      'resource.moved',
      ofResource('new'),
    ),
    // The memberships end while the resource still exists. Nobody but the owner sees a resource that is in no swarm: when
    // the account has ended, nobody needs an entry for each.
    {
      name: 'resource_destroyed',
      on: 'BEFORE DELETE ON resources',
      body: `${append(
        'resource.destroyed',
        {
          ...ofResource('old'),
          swarms_before: `(SELECT string_agg(swarm_id, ',') FROM memberships WHERE resource_id = old.id)`,
        },
        {
          when: `NOT EXISTS (SELECT 1 FROM retired_names WHERE name = old.user_id)
            OR EXISTS (SELECT 1 FROM memberships WHERE resource_id = old.id)`,
        },
      )}
        DELETE FROM silences WHERE ref = old.ref;
        DELETE FROM memberships WHERE resource_id = old.id;
        UPDATE join_requests SET status = 'withdrawn', ended_at = asked_at WHERE resource_id = old.id AND status = 'new';
        ${count('resources', 'old', '-')}`,
    },

    // A silent device that is heard again is told, and one that is not expected any more is not. Its owner is told a minute
    // later, so that many are one notice, and at most every ten minutes.
    {
      name: 'presence_created',
      on: 'AFTER INSERT ON presence',
      body: appendPresence,
    },
    {
      name: 'presence_changed',
      on: 'AFTER UPDATE OF state ON presence',
      when: 'new.state <> old.state',
      body: appendPresence,
    },
    {
      name: 'device_silent',
      on: 'AFTER UPDATE OF state ON presence',
      when: `new.state = 'silent' AND old.state <> 'silent'`,
      body: `INSERT INTO silences (ref, user_id, times, tell_at)
          SELECT ref, user_id, 1, new.changed_at + ${noticeMs.together} FROM resources WHERE ref = new.ref
          ON CONFLICT (ref) DO UPDATE SET times = silences.times + 1, tell_at = CASE WHEN silences.notice = 1 THEN NULL
            ELSE coalesce(silences.tell_at, CASE WHEN silences.told_at + ${noticeMs.pair} > excluded.tell_at
              THEN silences.told_at + ${noticeMs.pair} ELSE excluded.tell_at END) END;`,
    },
    {
      name: 'device_back',
      on: 'AFTER UPDATE OF state ON presence',
      when: `old.state = 'silent' AND new.state <> 'silent' AND ${wasHeard}`,
      body: `UPDATE silences SET tell_at = new.changed_at + ${noticeMs.together} WHERE ref = new.ref AND notice = 1;`,
    },
    {
      name: 'device_not_expected',
      on: 'AFTER UPDATE OF state ON presence',
      when: `old.state = 'silent' AND new.state <> 'silent' AND NOT ${wasHeard}`,
      // When its owner was told stays, so that who switches the expectation off and on causes no more notices.
      body: `DELETE FROM silences WHERE ref = new.ref AND told_at IS NULL;
        UPDATE silences SET notice = 0, times = 0, tell_at = NULL WHERE ref = new.ref;`,
    },
    // It is computed again when the state may change: `due_at` of 0 is at once.
    {
      name: 'resource_expected',
      on: 'AFTER UPDATE OF expected_every ON resources',
      when: 'new.expected_every IS DISTINCT FROM old.expected_every',
      body: 'UPDATE presence SET due_at = 0 WHERE ref = new.ref;',
    },
    ...(['INSERT', 'DELETE'] as const).map((event): Trigger => {
      const row = event === 'DELETE' ? 'old' : 'new';
      return {
        name: `member_expected_${event.toLowerCase()}`,
        on: `AFTER ${event} ON memberships`,
        when: `(SELECT expected_every FROM swarms WHERE id = ${row}.swarm_id) IS NOT NULL`,
        body: `UPDATE presence SET due_at = 0 WHERE ref = (SELECT ref FROM resources WHERE id = ${row}.resource_id);`,
      };
    }),

    {
      name: 'member_joined',
      on: 'AFTER INSERT ON memberships',
      body: `INSERT INTO swarm_viewers SELECT new.swarm_id, user_id, 1 FROM resources WHERE id = new.resource_id
          ON CONFLICT (swarm_id, user_id) DO UPDATE SET resources = swarm_viewers.resources + 1;
        ${tally('new', '+')}
        INSERT INTO swarm_sizes SELECT new.swarm_id, 1 WHERE true
          ON CONFLICT (swarm_id) DO UPDATE SET members = swarm_sizes.members + 1;
        UPDATE directory SET members = ${members('new.swarm_id')},
          active_at = CASE WHEN active_at < new.member_since THEN new.member_since ELSE active_at END
          WHERE swarm_id = new.swarm_id;
        ${appendMember('new')}`,
    },
    {
      name: 'member_role_changed',
      on: 'AFTER UPDATE OF resource_type ON memberships',
      when: 'new.resource_type <> old.resource_type',
      body: `${tally('old', '-')} ${tally('new', '+')}`,
    },
    {
      name: 'member_changed',
      on: 'AFTER UPDATE OF resource_type ON memberships',
      body: appendMember('new'),
    },
    // The invitations of a swarm that is being destroyed are destroyed too. `<> 'new'` is for the index of the answers. A former
    // owner who does not see the swarm any more keeps the name at the handover.
    {
      name: 'member_left',
      on: 'AFTER DELETE ON memberships',
      body: `UPDATE swarm_viewers SET resources = resources - 1 WHERE swarm_id = old.swarm_id
          AND user_id = (SELECT user_id FROM resources WHERE id = old.resource_id);
        DELETE FROM swarm_viewers WHERE swarm_id = old.swarm_id AND resources = 0
          AND user_id <> (SELECT user_id FROM swarms WHERE id = old.swarm_id)
          AND user_id NOT IN (SELECT user_id FROM managers WHERE swarm_id = old.swarm_id AND agreed_at IS NOT NULL);
        ${tally('old', '-')}
        ${appendMember('old', `${isVisible('old')} OR ${members('old.swarm_id')} < ${bulkFrom}`)}
        UPDATE swarm_sizes SET members = members - 1 WHERE swarm_id = old.swarm_id;
        UPDATE directory SET members = ${members('old.swarm_id')} WHERE swarm_id = old.swarm_id;
        UPDATE invitations SET last_known_name = swarms.name FROM swarms
          WHERE swarms.id = old.swarm_id AND swarms.user_id <> ''
            AND resource_id = old.resource_id AND swarm_id = old.swarm_id
            AND status = 'accepted' AND status <> 'new'
            AND (last_known_name IS NULL OR EXISTS (SELECT 1 FROM swarm_viewers viewer
              WHERE viewer.swarm_id = old.swarm_id AND viewer.user_id = invitations."from"));`,
    },
    appendOn('viewer_joined', 'AFTER INSERT ON swarm_viewers', 'viewer.changed', {
      owner: 'new.user_id',
      swarm_id: 'new.swarm_id',
    }),
    {
      name: 'viewer_left',
      on: 'AFTER DELETE ON swarm_viewers',
      when: isVisible('old'),
      body: append('viewer.changed', { owner: 'old.user_id', swarm_id: 'old.swarm_id' }),
    },

    {
      name: 'swarm_created',
      on: 'AFTER INSERT ON swarms',
      body: `${append('swarm.created', { owner: 'new.user_id', swarm_id: 'new.id' })}
        INSERT INTO swarm_viewers VALUES (new.id, new.user_id, 0);
        ${count('swarms', 'new', '+')}`,
    },
    {
      name: 'swarm_updated',
      on: 'AFTER UPDATE OF user_id, name, description, public, accepts_requests, expected_every ON swarms',
      when: `new.user_id <> ''`,
      body: append('swarm.updated', { owner: 'new.user_id', swarm_id: 'new.id' }),
    },
    appendOn('link_created', 'AFTER INSERT ON join_links', 'link.changed', ofLink),
    appendOn('link_changed', 'AFTER UPDATE ON join_links', 'link.changed', ofLink),
    {
      name: 'swarm_unlisted',
      on: 'AFTER UPDATE OF listed ON swarms',
      when: 'new.listed = 0 AND old.listed = 1',
      body: 'DELETE FROM directory WHERE swarm_id = new.id;',
    },
    ...(['INSERT', 'UPDATE'] as const).map((event): Trigger => ({
      name: `manager_${event.toLowerCase()}`,
      on: `AFTER ${event} ON managers`,
      body: `INSERT INTO swarm_viewers SELECT new.swarm_id, new.user_id, 0 WHERE new.agreed_at IS NOT NULL
            ON CONFLICT DO NOTHING;
          ${append('manager.changed', ofManager('new'))}`,
    })),
    {
      name: 'manager_delete',
      on: 'AFTER DELETE ON managers',
      when: isVisible('old'),
      body: `DELETE FROM swarm_viewers WHERE swarm_id = old.swarm_id AND user_id = old.user_id AND resources = 0
          AND user_id <> (SELECT user_id FROM swarms WHERE id = old.swarm_id);
        ${append('manager.changed', ofManager('old'))}`,
    },
    // Nobody gets what was offered to another user of this name.
    { name: 'user_created', on: 'AFTER INSERT ON "user"', body: 'DELETE FROM managers WHERE user_id = new.username;' },
    appendOn('request_sent', 'AFTER INSERT ON join_requests', 'join_request.changed', ofRequest('new')),
    {
      name: 'request_ended',
      on: 'AFTER UPDATE OF status ON join_requests',
      body: `${append('join_request.changed', ofRequest('new'), { when: `new.status <> 'withdrawn'` })}
        ${append('join_request.withdrawn', ofRequest('new'), { when: `new.status = 'withdrawn'` })}`,
    },
    // The account of the user has ended. Those of a swarm that is being destroyed are destroyed with it.
    {
      name: 'request_deleted',
      on: 'AFTER DELETE ON join_requests',
      when: `old.status = 'new'`,
      body: append('join_request.withdrawn', ofRequest('old'), { when: isVisible('old') }),
    },
    // A swarm that is being destroyed is hidden first.
    {
      name: 'swarm_owner_changed',
      on: 'AFTER UPDATE OF user_id ON swarms',
      body: `UPDATE directory SET user_id = new.user_id WHERE swarm_id = new.id;
        ${count('swarms', 'old', '-')}
        ${count('swarms', 'new', '+', { when: `new.user_id <> ''` })}
        ${appendSwarmDestroyed(
          `CASE WHEN ${members('new.id')} >= ${bulkFrom} THEN 1 ELSE 0 END`,
          `new.user_id = '' AND old.user_id <> ''`,
        )}`,
    },
    {
      name: 'swarm_destroyed',
      on: 'BEFORE DELETE ON swarms',
      body: `${appendSwarmDestroyed('1', `old.user_id <> ''`)} ${count('swarms', 'old', '-')}`,
    },

    {
      name: 'invitation_sent',
      on: 'AFTER INSERT ON invitations',
      body: `${count('invitations', 'new', '+', { owner: 'from', when: `new.status = 'new'` })}
        ${append('invitation.sent', ofInvitation('new'))}`,
    },
    appendOn('invitation_sent_again', 'AFTER UPDATE OF sent_at ON invitations', 'invitation.sent', ofInvitation('new')),
    {
      name: 'invitation_answered',
      on: 'AFTER UPDATE OF status ON invitations',
      body: `${count('invitations', 'old', '-', { owner: 'from', when: `old.status = 'new' AND new.status <> 'new'` })}
        UPDATE invitations SET last_known_name = (SELECT name FROM swarms WHERE id = new.swarm_id)
          WHERE id = new.id AND new.status = 'rejected';
        ${append('invitation.updated', ofInvitation('new'))}`,
    },
    // The open invitations of a swarm that is handed over are its new owner's.
    {
      name: 'invitation_handed_over',
      on: 'AFTER UPDATE OF "from" ON invitations',
      body: `${count('invitations', 'old', '-', { owner: 'from' })} ${count('invitations', 'new', '+', { owner: 'from' })}
        ${append('invitation.updated', ofInvitation('new'))}`,
    },
    {
      name: 'invitation_withdrawn',
      on: 'AFTER DELETE ON invitations',
      when: `old.status = 'new'`,
      body: `${count('invitations', 'old', '-', { owner: 'from' })}
        ${append('invitation.withdrawn', ofInvitation('old'), { when: isVisible('old') })}`,
    },

    { name: 'invitation_pair_sent', on: 'AFTER INSERT ON invitations', body: pairs('new', true) },
    {
      name: 'invitation_pair_changed',
      on: 'AFTER UPDATE OF sent_at, status ON invitations',
      body: `${pairs('new', true)} ${pairs('new', false)}`,
    },
    {
      name: 'invitation_pair_ended',
      on: 'AFTER DELETE ON invitations',
      when: `old.resource_type = 'producer'`,
      body: `${pairs('old', true)} ${pairs('old', false)}`,
    },

    {
      name: 'account_ended',
      on: 'AFTER INSERT ON retired_names',
      body: `DELETE FROM blocked_users WHERE user_id = new.name; ${append('account.ended', { owner: 'new.name' })}
        ${append('key.changed', { owner: 'new.name' })}`,
    },
    appendOn('session_renewed', 'AFTER UPDATE ON session', 'session.changed', { record_id: 'new.id' }),
    appendOn('session_ended', 'AFTER DELETE ON session', 'session.changed', { record_id: 'old.id' }),
    appendOn('key_expires', 'AFTER UPDATE OF expires_at ON api_keys', 'key.changed', {
      owner: 'new.user_id',
      record_id: 'new.id',
    }),
    {
      name: 'device_key_created',
      on: 'AFTER INSERT ON api_keys',
      when: 'new.resource_id IS NOT NULL',
      body: count('device_keys', 'new', '+'),
    },
    // When the account has ended, one entry was for all its keys.
    {
      name: 'key_ended',
      on: 'AFTER DELETE ON api_keys',
      body: `${append(
        'key.changed',
        { owner: 'old.user_id', record_id: 'old.id' },
        { when: 'NOT EXISTS (SELECT 1 FROM retired_names WHERE name = old.user_id)' },
      )}
        ${count('device_keys', 'old', '-', { when: 'old.resource_id IS NOT NULL' })}`,
    },
    // All processes read the user's keys again.
    {
      name: 'user_disabled',
      on: 'AFTER UPDATE OF disabled_at ON "user"',
      body: `${append('key.changed', { owner: 'new.username' })}
        ${append('account.enabled', { owner: 'new.username' }, { when: 'new.disabled_at IS NULL' })}`,
    },
    { name: 'idempotency_more', on: 'AFTER INSERT ON idempotency', body: count('idempotency', 'new', '+') },
    { name: 'idempotency_less', on: 'AFTER DELETE ON idempotency', body: count('idempotency', 'old', '-') },

    ...['INSERT', 'UPDATE OF state, total, done, runs_at, is_dismissed, undone_by'].map((event) =>
      appendOn(`action_${event.slice(0, 6).toLowerCase()}`, `AFTER ${event} ON actions`, 'action.changed', {
        owner: 'new.user_id',
        record_id: 'new.id',
      }),
    ),
    // No client shows those that were dismissed. A thousand old ones are deleted together: as many entries would be a reset
    // for each client that resumes.
    {
      name: 'action_delete',
      on: 'AFTER DELETE ON actions',
      when: 'old.is_dismissed = 0',
      body: append('action.changed', { owner: 'old.user_id', record_id: 'old.id' }),
    },

    // The new entry replaces an equal one of the last day. A rename keeps the first name, except if it is the new one.
    // Each entry about the account counts for its security. These are two triggers, because PostgreSQL would plan the
    // update of renames for every other entry.
    {
      name: 'activity_renamed',
      on: 'AFTER INSERT ON activity',
      when: isRename,
      body: `UPDATE activity SET detail = coalesce((SELECT detail FROM activity WHERE ${repeated}
            AND detail <> coalesce(new.resource_name, new.swarm_name) ORDER BY seq LIMIT 1), detail)
          WHERE user_id = new.user_id AND seq = new.seq;
        DELETE FROM activity WHERE ${repeated};`,
    },
    {
      name: 'activity_repeated',
      on: 'AFTER INSERT ON activity',
      when: `NOT (${isRename} OR ${isAboutAccount}) AND new.actor <> '${serverActor}'`,
      body: `DELETE FROM activity WHERE ${repeated} AND detail IS NOT DISTINCT FROM new.detail;`,
    },
    {
      name: 'notice_created',
      on: 'AFTER INSERT ON activity',
      when: isNotice,
      // Other kinds have events of their own.
      body: `${append('notice.created', { owner: 'new.user_id', record_id: 'new.kind' }, { when: `new.kind LIKE 'resource.%'` })}
        UPDATE webhook_deliveries SET amount = coalesce(amount, 1) + 1, resource_id = NULL, resource_name = NULL
          WHERE ${gathered};
        INSERT INTO webhook_deliveries (user_id, session_id, at, kind, resource_id, resource_name, swarm_id, swarm_name, amount, detail, next_at)
          SELECT target.user_id, target.session_id, new.at, new.kind, new.resource_id, new.resource_name, new.swarm_id, new.swarm_name,
            new.amount, new.detail, CASE WHEN new.kind LIKE 'resource.%' THEN 0 ELSE CAST(${gatheredAt} AS bigint) END
          FROM (SELECT user_id, NULL AS session_id FROM webhooks UNION ALL
            SELECT user_id, session_id FROM push_subscriptions) target
          WHERE target.user_id = new.user_id AND NOT EXISTS
            (SELECT 1 FROM webhook_deliveries WHERE session_id IS NOT DISTINCT FROM target.session_id AND ${gathered});`,
    },
    {
      name: 'deliveries_limit',
      on: 'AFTER INSERT ON webhook_deliveries',
      body: [
        { of: 'session_id IS NULL AND new.session_id IS NULL AND next_at IS NULL', most: webhookLimits.kept },
        ...(['server', 'others'] as const).flatMap((source) => {
          const waiting = `next_at IS NOT NULL AND ${deliverySource} = '${source}'`;
          return [
            { of: `session_id IS NULL AND new.session_id IS NULL AND ${waiting}`, most: webhookLimits.waiting },
            { of: `session_id = new.session_id AND ${waiting}`, most: pushLimits.waiting },
          ];
        }),
      ]
        .map(({ of, most }) => {
          const some = `user_id = new.user_id AND ${of}`;
          return `DELETE FROM webhook_deliveries WHERE ${some} AND seq <= (SELECT seq FROM webhook_deliveries
            WHERE ${some} ORDER BY seq DESC LIMIT 1 OFFSET ${most});`;
        })
        .join(' '),
    },
    {
      name: 'activity_limit',
      on: 'AFTER INSERT ON activity',
      when: `new.seq % ${activityLimitEach} = 0`,
      body: activityLimits.map(({ of, most }) => trimWhere(`user_id = new.user_id AND ${of}`, most)).join(' '),
    },
  ];
}
