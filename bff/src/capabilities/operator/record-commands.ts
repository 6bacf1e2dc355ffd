/** The commands that ask the operator once, about users, keys and the server. */
import type { OperatedUser, UserDetails } from '../../contract.ts';
import type { Limits, Operator } from './operator.ts';

interface Options {
  disabled?: boolean | undefined;
  user?: string | undefined;
  all?: boolean | undefined;
  yes?: boolean | undefined;
}

interface RecordCommand<Result> {
  /** What follows its name, for the message if that is missing. */
  takes: string;
  options?: (keyof Options)[];
  /** What to ask. Undefined if an argument is missing, or one is too many. */
  ask: (args: string[], options: Options) => ((operator: Operator) => Promise<Result>) | undefined;
  /** Lines of the result. Without them it has none, and `--json` is not allowed. */
  text?: (result: Result) => string[];
  /** Whether the command exits with 1, after its output. */
  isFailure?: (result: Result) => boolean;
}

const command = <Result>(given: RecordCommand<Result>) => given as RecordCommand<unknown>;

export const recordCommands: Record<string, RecordCommand<unknown>> = {
  'user list': command({
    takes: 'no NAME',
    options: ['disabled'],
    ask: (args, { disabled = false }) => (args.length === 0 ? (operator) => allUsers(operator, disabled) : undefined),
    text: (users) => table([['name', 'created', 'last active', 'devices', 'state'], ...users.map(userRow)]),
  }),
  'user show': command({
    takes: 'one NAME',
    ask: (args) => one(args, (name) => (operator) => operator.showUser({ name })),
    text: userFields,
  }),
  'user disable': command({
    takes: 'one NAME',
    ask: (args) => one(args, (name) => (operator) => operator.disableUser({ name })),
  }),
  'user enable': command({
    takes: 'one NAME',
    ask: (args) => one(args, (name) => (operator) => operator.enableUser({ name })),
  }),
  'user link': command({
    takes: 'one NAME',
    ask: (args) => one(args, (name) => (operator) => operator.createLink({ name })),
    text: ({ url, expires_at }) => [url, `It can be used once, until ${expires_at}.`],
  }),
  'user remove-app': command({
    takes: 'one NAME',
    ask: (args) => one(args, (name) => (operator) => operator.removeApp({ name })),
  }),
  'user role': command({
    takes: 'one NAME and operator or none',
    ask: ([name, role, ...more]) =>
      name !== undefined && (role === 'operator' || role === 'none') && more.length === 0
        ? (operator) => operator.setRole({ name, role })
        : undefined,
  }),
  'user delete': command({
    takes: 'one NAME and --yes: it deletes the account with all its devices and swarms',
    options: ['yes'],
    ask: (args, { yes }) => (yes ? one(args, (name) => (operator) => operator.deleteUser({ name })) : undefined),
  }),
  'user sign-out': command({
    takes: 'one NAME, or --all',
    options: ['all'],
    ask(args, { all }) {
      if (!all) return one(args, (name) => (operator) => operator.signOut({ name }));
      return args.length === 0 ? (operator) => operator.signOutAll() : undefined;
    },
  }),
  'key list': command({
    takes: '--user NAME',
    options: ['user'],
    ask: (args, { user }) =>
      user !== undefined && args.length === 0 ? (operator) => operator.listKeys({ user }) : undefined,
    text: (keys) =>
      table([
        ['id', 'name', 'ends in', 'created', 'last used', 'only for device'],
        ...keys.map((key) => [
          key.id,
          key.name,
          key.ends_in,
          dayOf(key.created_at),
          key.last_used_at?.slice(0, 10) ?? never,
          'device' in key ? key.device.id : '',
        ]),
      ]),
  }),
  'key revoke': command({
    takes: 'one ID, as key list shows it',
    ask: (args) => one(args, (id) => (operator) => operator.revokeKey({ id })),
  }),
  limits: command({
    takes: '--user NAME, or nothing',
    options: ['user'],
    ask: (args, { user }) => (args.length === 0 ? (operator) => operator.readLimits({ user }) : undefined),
    text: limitRows,
  }),
  doctor: command({
    takes: 'no argument',
    ask: (args) => (args.length === 0 ? (operator) => operator.examine() : undefined),
    text: (findings) => table(findings.map(({ part, state, text }) => [states[state], part, text])),
    isFailure: (findings) => findings.some(({ state }) => state === 'error'),
  }),
  stats: command({
    takes: 'no argument',
    ask: (args) => (args.length === 0 ? (operator) => operator.readStats() : undefined),
    text: (stats) => table(Object.entries(stats).map(([name, value]) => [words(name), shown(value)])),
  }),
};

const states = { ok: 'ok', warning: 'warning', error: 'ERROR' };

const one = <Asked>([given, ...more]: string[], ask: (given: string) => Asked) =>
  given === undefined || more.length > 0 ? undefined : ask(given);

async function allUsers(operator: Operator, disabled: boolean): Promise<OperatedUser[]> {
  const users: OperatedUser[] = [];
  for (let after: string | null = ''; after !== null;) {
    const { items, next } = await operator.listUsers({ after, disabled });
    users.push(...items);
    after = next;
  }
  return users;
}

const never = '-';
const dayOf = (time: string | null) => time?.slice(0, 10) ?? never;
const words = (name: string) => name.replaceAll('_', ' ');
const shown = (value: string | number | null) => (value === null ? never : value.toLocaleString('en'));

const userRow = (user: OperatedUser) => [
  user.user_id,
  dayOf(user.created_at),
  dayOf(user.active_at),
  shown(user.resources),
  stateOf(user),
];
const stateOf = ({ disabled_at, role }: OperatedUser) =>
  [disabled_at ? 'disabled' : '', role ?? ''].filter(Boolean).join(', ');

function userFields({ quotas, ...user }: UserDetails): string[] {
  return table([
    ['name', user.user_id],
    ['created', user.created_at],
    ['disabled', user.disabled_at ?? never],
    ['role', user.role ?? never],
    ['last active', dayOf(user.active_at)],
    ['sessions', shown(user.sessions)],
    ...Object.entries(quotas).map(([name, { used }]) => [words(name), shown(used)]),
  ]);
}

function limitRows({ rates, quotas, used }: Limits): string[] {
  const unlimited = (amount: number | null) => (amount === null ? 'no limit' : shown(amount));
  return table([
    ...Object.entries(rates).map(([name, rate]) => [words(name), unlimited(rate)]),
    ...Object.entries(quotas).map(([name, allowed]) => {
      const own = used?.[name as keyof typeof used];
      return [words(name), unlimited(allowed), ...(own === undefined ? [] : [`used: ${shown(own)}`])];
    }),
  ]);
}

/** Rows with aligned columns. */
function table(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) =>
    // Not Math.max(...lengths): so many arguments do not fit on the stack.
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
