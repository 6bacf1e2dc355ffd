import type { UserDetails } from '../contract.ts';
import type { DeviceFormat } from '../device-files/device-export.ts';
import { Problem } from '../http/problem.ts';
import { operatorActor } from '../limits/field-rules.ts';
import { quotaUsage, type Quota, type Quotas } from '../limits/quotas.ts';
import { baseRates } from '../limits/rate.ts';
import type { Actions } from '../actions/actions.ts';
import type { Service } from '../service/service.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Limits, Operator } from './operator.ts';
import type { UserList } from './users.store.ts';

/** Of the operator's commands: no user waits for them. */
const requester = { user: operatorActor };

/** The operator's commands. */
export function createOperator(options: {
  signIn: SignIn;
  keys: Service['keys'];
  users: UserList;
  quotas: Quotas;
  /** The factor of all rate limits; Infinity for none. */
  rateLimit: number;
  examine: Operator['examine'];
  usageOf: (userName: string) => Promise<Record<Quota, number> | undefined>;
  endAccount: (userName: string) => Promise<void>;
  exportResources: (request: { userId: string; format: DeviceFormat }) => AsyncIterable<string>;
  actions: Actions;
  demo: { make: (userName: string) => Promise<boolean>; remove: (userName: string) => Promise<void> };
}): Operator {
  const { signIn, keys, users, quotas, rateLimit, examine, usageOf, endAccount, exportResources, actions, demo } =
    options;
  const { requireUser, sessions } = signIn;

  /** @throws Problem `user.not_found` */
  async function usedBy(userName: string): Promise<Record<Quota, number>> {
    const used = await usageOf(userName);
    if (!used) throw new Problem('user.not_found');
    return used;
  }

  async function show(name: string): Promise<UserDetails> {
    const userName = await requireUser(name);
    const [found, used] = await Promise.all([users.find(userName), usedBy(userName)]);
    if (!found) throw new Problem('user.not_found');
    return { ...found, quotas: quotaUsage({ quotas, used }) };
  }

  return {
    addUser: ({ name, password }) => signIn.addUser({ userName: name, password }),
    async setPassword({ name, password }) {
      if (!(await signIn.changePassword({ userName: name, password }))) throw new Problem('user.not_found');
    },
    listUsers: (query) => users.list({ ...query, requester }),
    showUser: ({ name }) => show(name),
    disableUser: async ({ name }) => users.disable(await requireUser(name)),
    enableUser: async ({ name }) => users.enable(await requireUser(name)),
    createLink: async ({ name }) => signIn.createLink(await requireUser(name)),
    setRole: async ({ name, role }) => users.setRole({ userName: await requireUser(name), role }),
    deleteUser: async ({ name }) => endAccount(await requireUser(name)),
    signOut: async ({ name }) => sessions.endOthers({ userName: await requireUser(name), currentId: '' }),
    signOutAll: () => sessions.endAll(),
    async createKey({ user, name }) {
      return keys.mint({ userId: await requireUser(user), kind: 'device', name, actor: operatorActor });
    },
    listKeys: async ({ user }) => keys.list(await requireUser(user)),
    async revokeKey({ id }) {
      const userId = await users.ownerOfKey(id);
      const isRevoked = userId !== undefined && (await keys.revoke({ userId, id, actor: operatorActor }));
      if (!isRevoked) throw new Problem('key.not_found');
    },
    async readLimits({ user }) {
      const used = user === undefined ? undefined : await usedBy(await requireUser(user));
      const rates = Object.entries(baseRates).map(([name, rate]) => [name, orNull(rate * rateLimit)] as const);
      const allowed = Object.entries(quotas).map(([name, amount]) => [name, orNull(amount)] as const);
      return {
        rates: Object.fromEntries(rates) as Limits['rates'],
        quotas: Object.fromEntries(allowed) as Limits['quotas'],
        ...(used && { used }),
      };
    },
    readStats: () => users.stats(requester),
    examine,
    async startImport({ user, about, items }) {
      const userId = await requireUser(user);
      return items.length > 0 ? actions.startAll({ userId, kind: 'import', about, items }) : {};
    },
    readImport: async ({ user, id }) => actions.read({ userId: await requireUser(user), id }),
    endImport: async ({ user, id }) => actions.end({ userId: await requireUser(user), id }),
    exportDevices: async ({ user, format }) => exportResources({ userId: await requireUser(user), format }),
    makeDemo: async ({ user }) => ({ made: await demo.make(await requireUser(user)) }),
    removeDemo: async ({ user }) => demo.remove(await requireUser(user)),
  };
}

const orNull = (amount: number) => (Number.isFinite(amount) ? amount : null);
