/**
 * What a backup brings back: rights that the database before it did not give any more. Each column that gives a right is compared by a
 * rule, which says when the record in the backup gives more. A test fails for a column that has no rule and is not listed as giving none.
 */
import { keyKinds } from '../key-kinds.ts';

/** `b`: the record in the backup. `o`: the same record in the database before. */
type Comparison = (column: string) => string;

interface Thing {
  table: string;
  key: readonly string[];
  /** What the operator reads. */
  name: string;
  /** `other`: the database that the record is looked for in. What it does not have any more is listed once, with its owner or swarm. */
  join?(other: string): string;
  /** The conditions of the columns without which a record gives no right, in both databases. */
  gives?: Readonly<Record<string, string>>;
  /** Only these records of the backup. */
  where?: string;
}

interface Rule {
  of: Thing;
  /** A record that is not there any more gave a right. */
  lost?: true;
  more?: Readonly<Record<string, Comparison>>;
  /** What was there before and the backup does not have. */
  isReversed?: true;
}

const other: Comparison = (column) => `b.${column} IS NOT o.${column}`;
const on: Comparison = (column) => `b.${column} = 1 AND o.${column} IS NOT 1`;
const set: Comparison = (column) => `b.${column} IS NOT NULL AND o.${column} IS NULL`;
const unset: Comparison = (column) => `b.${column} IS NULL AND o.${column} IS NOT NULL`;
/** Null: without an end, or as many as there are. */
const beyond: Comparison = (column) => `b.${column} > o.${column} OR ${unset(column)}`;
/** Null: from the beginning. */
const before: Comparison = (column) => `b.${column} < o.${column} OR ${unset(column)}`;
const wider: Comparison = (column) => `b.${column} <> o.${column} AND o.${column} <> 'both'`;
const becameOf =
  (value: string): Comparison =>
  (column) =>
    `b.${column} = '${value}' AND o.${column} <> '${value}'`;
/** `since` counts while the other column is on. */
const sinceOf =
  (keeps: string): Comparison =>
  (column) =>
    `b.${keeps} IS NOT NULL AND b.${keeps} IS NOT 0 AND o.${keeps} IS NOT NULL AND o.${keeps} IS NOT 0 AND (${before(column)})`;

const ofUser = (database: string) => `JOIN ${database}."user" u ON u.username = b.user_id`;
const ofSwarm = (database: string) => `JOIN ${database}.swarms s ON s.id = b.swarm_id`;
const named = (record: string) => `${record}.user_id || ' "' || ${record}.name || '"'`;
const inSwarm = (name: string) => `${name} || ' (' || s.name || ')'`;

const users: Thing = { table: '"user"', key: ['id'], name: 'b.username' };
const passwords: Thing = {
  table: 'account',
  key: ['id'],
  name: 'u.username',
  join: (database) => `JOIN ${database}."user" u ON u.id = b."userId"`,
  where: 'b.password IS NOT NULL',
};
const ownKeys: Thing = {
  table: 'api_keys',
  key: ['id'],
  name: `${named('b')} || ' …' || b.ends_in`,
  gives: { kind: `= '${keyKinds.own}'` },
};
const ofOneUser = { name: 'b.user_id', join: ofUser };
const addresses: Thing = { table: 'addresses', key: ['user_id'], ...ofOneUser, gives: { verified_at: 'IS NOT NULL' } };
const apps: Thing = { table: 'totp', key: ['user_id'], ...ofOneUser, gives: { confirmed_at: 'IS NOT NULL' } };
const codes: Thing = { table: 'recovery_codes', key: ['user_id', 'hash'], ...ofOneUser };
const webhooks: Thing = { table: 'webhooks', key: ['user_id'], ...ofOneUser };
const passkeys: Thing = { table: 'passkeys', key: ['id'], name: named('b'), join: ofUser };
const identities: Thing = {
  table: 'identities',
  key: ['provider', 'subject'],
  name: `b.user_id || ' (' || b.provider || ')'`,
  join: ofUser,
};
const recordsOf = (table: 'swarms' | 'resources'): Thing => ({
  table,
  key: ['id'],
  name: named('b'),
  gives: { user_id: "<> ''" },
});
const swarms = recordsOf('swarms');
const devices = recordsOf('resources');
const members: Thing = {
  table: 'memberships',
  key: ['swarm_id', 'resource_id'],
  name: inSwarm(named('r')),
  join: (database) => `JOIN ${database}.resources r ON r.id = b.resource_id ${ofSwarm(database)}`,
};
const ofSwarmAndUser = { key: ['swarm_id', 'user_id'], name: inSwarm('b.user_id'), join: ofSwarm };
const managers: Thing = { table: 'managers', ...ofSwarmAndUser, gives: { agreed_at: 'IS NOT NULL' } };
const askedManagers: Thing = { table: 'managers', ...ofSwarmAndUser, where: 'b.agreed_at IS NULL' };
const blockedUsers: Thing = { table: 'blocked_users', ...ofSwarmAndUser };
const links: Thing = {
  table: 'join_links',
  key: ['id'],
  name: inSwarm(`s.user_id || ' "' || b.name || '"'`),
  join: ofSwarm,
  gives: { ended_at: 'IS NULL' },
};
const invitations: Thing = {
  table: 'invitations',
  key: ['id'],
  name: inSwarm(named('r')),
  join: (database) => `JOIN ${database}.resources r ON r.id = b.resource_id ${ofSwarm(database)}`,
  where: `b.status = 'new'`,
};
const requests: Thing = { ...invitations, table: 'join_requests' };
/** Who accepted since got what was offered, and can accept it again. */
const endedUnaccepted: Comparison = (column) => `o.${column} NOT IN ('new', 'accepted')`;

export const changedSince = {
  newUsers: [{ of: users, lost: true, isReversed: true }],
  deletedUsers: [{ of: users, lost: true }],
  newKeys: [{ of: ownKeys, lost: true, isReversed: true }],
  revokedKeys: [{ of: ownKeys, lost: true, more: { expires_at: beyond, scope: other, resource_id: other } }],
  newPasswords: [{ of: passwords, lost: true, more: { password: other } }],
  usedCodes: [{ of: codes, lost: true }],
  otherApps: [{ of: apps, lost: true, more: { sealed: other } }],
  otherAddresses: [{ of: addresses, lost: true, more: { address: other } }],
  removedPasskeys: [{ of: passkeys, lost: true }],
  unlinkedProviders: [{ of: identities, lost: true, more: { user_id: other } }],
  otherWebhooks: [{ of: webhooks, lost: true, more: { url: other, sealed: other } }],
  disabledUsers: [{ of: users, more: { disabled_at: unset } }],
  enabledUsers: [{ of: users, more: { disabled_at: unset }, isReversed: true }],
  operators: [{ of: users, more: { role: becameOf('operator') } }],
  newOperators: [{ of: users, more: { role: becameOf('operator') }, isReversed: true }],
  blockedUsers: [{ of: blockedUsers, lost: true, isReversed: true }],
  removedManagers: [{ of: managers, lost: true }],
  formerManagers: [{ of: managers, more: { role: becameOf('manager') } }],
  removedMembers: [{ of: members, lost: true, more: { member_since: before } }],
  narrowedMembers: [{ of: members, more: { resource_type: wider } }],
  shownMembers: [{ of: members, more: { shown_by_links: on } }],
  laterEnds: [
    { of: members, more: { ends_at: beyond, ends_at_most: beyond } },
    { of: managers, more: { ends_at: beyond } },
  ],
  openOffers: [
    { of: invitations, lost: true, more: { status: endedUnaccepted } },
    { of: requests, lost: true, more: { status: endedUnaccepted } },
    { of: askedManagers, lost: true },
    { of: managers, more: { offered_at: set } },
  ],
  privateSwarms: [{ of: swarms, more: { public: on } }],
  unlistedSwarms: [{ of: swarms, more: { listed: on } }],
  closedSwarms: [{ of: swarms, more: { accepts_requests: on } }],
  endedLinks: [{ of: links, lost: true, more: { expires_at: beyond, max_resources: beyond, resource_type: wider } }],
  handedOverSwarms: [
    { of: { ...swarms, name: `${named('b')} || ' (' || o.user_id || ')'` }, more: { user_id: other } },
  ],
  handedOverDevices: [
    { of: { ...devices, name: `${named('b')} || ' (' || o.user_id || ')'` }, more: { user_id: other } },
  ],
  endedRecordings: [
    {
      of: devices,
      more: {
        keep_track: on,
        keep_values: set,
        track_since: sinceOf('keep_track'),
        values_since: sinceOf('keep_values'),
      },
    },
  ],
  deletedSwarms: [{ of: swarms, lost: true }],
  deletedDevices: [{ of: devices, lost: true }],
} satisfies Record<string, readonly Rule[]>;

/** Reads the names of one kind of change. `main` is the backup, `old` the database before it. */
export const namesChanged = (rules: readonly Rule[]) => `${rules.map(selectOf).join(' UNION ')} ORDER BY 1`;

function selectOf({ of, lost, more = {}, isReversed }: Rule): string {
  const { table, key, name, join, gives = {}, where = '1 = 1' } = of;
  const [one, another] = isReversed ? ['old', 'main'] : ['main', 'old'];
  const giving = (record: string) => Object.entries(gives).map(([column, is]) => `${record}.${column} ${is}`);
  const isThere = `o.${key[0]} IS NOT NULL`;
  const differs = [
    ...(lost ? [`NOT (${isThere})`] : []),
    ...Object.entries(more).map(([column, gainsBy]) => `(${isThere} AND (${gainsBy(column)}))`),
  ];
  const isSame = [...key.map((column) => `o.${column} = b.${column}`), ...giving('o')];
  return `SELECT DISTINCT ${name} AS name FROM ${one}.${table} b ${join?.(another) ?? ''}
    LEFT JOIN ${another}.${table} o ON ${isSame.join(' AND ')}
    WHERE ${[where, ...giving('b'), `(${differs.join(' OR ')})`].join(' AND ')}`;
}
