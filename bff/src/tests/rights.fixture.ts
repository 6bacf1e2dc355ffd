/** Who may do what, by actor: the form of the rows of authorisation.test.ts. A capability has its own in `*.cases.ts`. */
import type { KeyScope } from '../core/limits/field-rules.ts';
import type { Database } from '../core/store/database.ts';
import type { ServiceClient as Client } from './service-client.fixture.ts';
import type { RequestOptions } from './test-server.fixture.ts';

/**
 * `owner`: of the swarm. `manager`: of the swarm, without a device. `device owner`: of a resource in it. `recipient`: has an
 * open invitation to it, but no device in it.
 */
export const actors = [
  'owner',
  'manager',
  'device owner',
  'member',
  'recipient',
  'stranger',
  'nobody',
  'wrong key',
] as const;
/**
 * Users who once had access to the swarm: rejected an invitation, left, or were removed. They are strangers to it. `ended`, `ended
 * watcher`: their time is over, and the server has not deleted their rows yet.
 */
export const formerActors = ['rejected', 'left', 'removed', 'ended', 'ended watcher'] as const;
/** Watches the swarm, without a device. Otherwise like a member. */
export const watcher = 'watcher';
/** Was asked to be a manager, and has not answered. Otherwise like a recipient without an invitation. */
export const asked = 'asked user';
/** Has opened a link to join the swarm. Without joining, a stranger to it. */
export const linkHolder = 'link holder';
/** Has an open request to join the swarm, and is a stranger to it otherwise. It was public when the user asked. */
export const asker = 'asker';
/** Has the code of a link that shows `device`, and no account. */
export const guest = 'guest';
/** Has the code of a link that shows members of the swarm, and no account. */
export const swarmGuest = 'guest of the swarm';
/** Has the role of an operator, and is a stranger to all records. */
export const operator = 'operator';
export type ServiceClient =
  | (typeof actors)[number]
  | (typeof formerActors)[number]
  | typeof watcher
  | typeof asked
  | typeof linkHolder
  | typeof asker
  | typeof operator
  | typeof guest
  | typeof swarmGuest;
export const allActors: readonly ServiceClient[] = [
  ...actors,
  watcher,
  ...formerActors,
  asked,
  linkHolder,
  asker,
  operator,
  guest,
  swarmGuest,
];
export type Statuses = [number, number, number, number, number, number, number, number];

/** The data of the cases: a swarm with two members and an open invitation. */
export interface TestData {
  swarm: string;
  /** A device of `device owner`, in the swarm with both roles. */
  device: string;
  /** A device of `owner`, in no swarm. */
  spare: string;
  invited: string;
  invitation: string;
  /** `pass`: of the link holder, who has the device `joining`. */
  link: { id: string; url: string; pass: string };
  joining: string;
  /** Shows `device`. `code`: of a guest. */
  shareLink: { id: string; code: string };
  /** Shows the swarm. */
  swarmLink: { id: string; code: string };
  /** Of the asker, and another device of theirs. */
  requested: string;
  asking: string;
  /** By the clock of the server, for ends. */
  inAnHour: string;
}

/** Only the swarm's owner; if it is public, others may see that it exists. */
export const swarmOwner = (status: number) => ({
  hidden: [status, 403, 403, 403, 403, 404, 401, 401] as Statuses,
  public: [status, 403, 403, 403, 403, 403, 401, 401] as Statuses,
});
/** The swarm's owner and its managers. */
export const managers = (status: number) => ({
  hidden: [status, status, 403, 403, 403, 404, 401, 401] as Statuses,
  public: [status, status, 403, 403, 403, 403, 401, 401] as Statuses,
});
/** Only the device's owner; users who share a swarm with it may see that it exists. */
export const deviceOwner = (status: number): Statuses => [403, 403, status, 403, 404, 404, 401, 401];
export const onlyKey = (status: number): Statuses => [status, status, status, status, status, status, 401, 401];
/** An object of the owner's account, which does not exist for others. */
export const onlyOwner = (status: number): Statuses => [status, 404, 404, 404, 404, 404, 401, 401];
export interface ApiRow<Data = TestData> {
  request: (data: Data) => RequestOptions;
  statuses: Statuses | { hidden: Statuses; public: Statuses };
  ofAsked?: number;
  ofOperator?: number;
  /** A write that changes nothing that another row needs. */
  keepsData?: true;
  /** By it, a session sets up the second factor that the server requires. */
  ofLimited?: true;
  /** An id, and the actors whose response contains it. */
  shows?: { id: (data: Data) => string; to: ServiceClient[] };
}

/** The rows of a capability, by endpoint of `/api`. `data`: what they need of the owner's account. */
export interface Rights<Data extends object> {
  /** Once, before the first request. `others`: the users besides the owner. */
  prepare?: (given: { db: Database; others: readonly string[] }) => Promise<unknown>;
  data: (owner: { name: string; db: Database; request: <T>(asked: RequestOptions) => Promise<T> }) => Promise<Data>;
  rows: Record<string, ApiRow<TestData & Data>>;
}

/** A round of a capability (`rounds` of core/part.ts), after `prepare`, until `isOver`. `at`: an instant of the server's clock. */
interface JobRound {
  prepare: (given: { db: Database; at: string }) => Promise<unknown>;
  isOver: (given: { db: Database }) => Promise<boolean>;
}
/** What a capability runs by something that the test does not open, such as a socket. `db` and `fetch` are recorded. */
interface JobRun {
  run: (given: {
    db: Database;
    now: () => Date;
    device: { id: string; userId: string; key: string };
    fetch: (request: Request) => Promise<Response>;
  }) => Promise<unknown>;
}
/** What starts each job of a capability that no other test starts, with much data: a request that makes something, a round, or a function. */
export type JobCases = Record<string, { method: string; path: string } | JobRound | JobRun>;

/**
 * An endpoint of `/auth`: what a page of this site gets without a session, with one, and with one without the second factor that the
 * server requires; and what a page of another site gets. Without: the same as without a session, and `403 origin.refused`.
 */
export interface AuthRow {
  body?: object;
  nobody: string;
  user?: string;
  limited?: string;
  otherSite?: string;
}

/** What differs from the actors of `statuses`. */
export interface Others {
  ofAsked?: number;
  /** If not the same as a member. */
  ofWatcher?: number;
  ofHolder?: number;
  ofAsker?: number;
  ofOperator?: number;
}

/** A row of an operation of the service. */
export interface OperationRow extends Omit<Others, 'ofOperator'> {
  request: (data: TestData) => RequestOptions;
  statuses: Statuses | { hidden: Statuses; public: Statuses };
  /** In a public swarm, if that differs: `ofPublicAsker`. */
  ofPublicAsker?: number;
  /** A write that changes nothing that another row needs. */
  keepsData?: true;
  /** Makes the data as before, after a write has succeeded. Without, the next request gets new data, which takes longer. */
  restore?: (data: TestData, as: (actor: ServiceClient) => Client) => Promise<Partial<TestData> | void>;
}

/** An action with one item, of a kind of which the endpoint of an operation does the same. */
export type AsAction = (data: TestData) => { kind: string; about: object; item: object };

/** The same of a capability, in its `*.cases.ts`. */
export interface OperationOfCapability extends OperationRow {
  /** Of an account's key that may do it, besides `all`. */
  scope: KeyScope;
  /** What the key of a device gets. Without, it may not do it. */
  ofDeviceKey?: number;
  /** An action with one item that does the same. */
  action?: AsAction;
}
