/** Sign-in by a provider: what happens before a user goes there, and after the user has come back. */
import type { NewRecoveryCodes } from '../../contract.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import type { Statement } from '../../core/store/statement.ts';
import { plainText } from '../../core/store/search-text.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { requireUserName } from '../../core/accounts/account-rules.ts';
import type { BeginSession } from '../../core/accounts/begin-session.ts';
import type { From } from '../../core/accounts/from.ts';
import type { Browsers } from '../../core/accounts/browsers.ts';
import type { Newcomer } from './contract.ts';
import type { Identities } from './identities.store.ts';
import type { Checks, Identified, Providers } from './providers.ts';
import type { SecondStep } from '../../core/accounts/second-step.ts';
import {
  requireUnlimited,
  withSecond,
  type Session,
  type SessionLives,
  type Sessions,
} from '../../core/accounts/sessions.store.ts';
import type { Step, Steps } from '../../core/accounts/steps.store.ts';
import { throwNameTaken, type Users } from '../../core/accounts/users.store.ts';
import type { HasWayIn } from '../../core/accounts/ways-in.store.ts';
import type { Codes, SignInChanged } from '../../core/accounts/ways.ts';

/** Why a user goes to a provider. */
type Purpose = 'sign-in' | 'link' | 'confirm';

/** What the browser remembers while the user is at the provider. */
interface AtProvider {
  provider: string;
  purpose: Purpose;
  /** The path of the app to which the user returns. */
  next: string;
  checks: Checks;
  /** The session that began it, unless the purpose is a sign-in. */
  sessionId?: string;
  /** The second round is after a change of the provider's keys. */
  round: 1 | 2;
}

/** What the browser remembers while a newcomer chooses a user name. */
interface UnnamedIdentity extends Identified {
  provider: string;
}

/** Where the browser goes, with these `Set-Cookie` headers. */
export interface Redirect {
  to: string;
  cookies: string[];
}

interface SingleSignOnOptions {
  db: Database;
  providers: Providers;
  identities: Identities;
  steps: Steps;
  sessions: Sessions;
  users: Users;
  codes: () => Codes;
  publicUrl: string;
  signUp: 'open' | 'closed';
  requireConfirmed: (session: Session) => SessionLives;
  hasWayIn: HasWayIn;
  browsers: Browsers;
  secondStep: SecondStep;
  beginSession: BeginSession;
  onChanged: (changed: SignInChanged) => Promise<void>;
}

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

export function createSingleSignOn(options: SingleSignOnOptions) {
  const { providers, identities, publicUrl } = options;
  return {
    /** @throws Problem `provider.not_found`, `provider.away`, `provider.refused` */
    beginSignIn: ({ next, ...at }: { provider: string; next: string; request: Request }): Promise<Redirect> =>
      begin(options, { ...at, purpose: 'sign-in', next: pathOf(next, publicUrl), round: 1 }),

    /** Begins for a user who is signed in. @throws Problem `session.confirm`, `second_factor.required` before an identity is linked */
    beginWithSession({
      session,
      next,
      ...rest
    }: {
      provider: string;
      purpose: 'link' | 'confirm';
      next: string;
      session: Session;
      request: Request;
    }): Promise<Redirect> {
      if (rest.purpose === 'link') {
        requireUnlimited(session);
        options.requireConfirmed(session);
      }
      return begin(options, { ...rest, next: pathOf(next, publicUrl), sessionId: session.sessionId, round: 1 });
    },

    /** After the user has come back. What is wrong is a sentence on the page where it began. */
    finish: (back: ComingBack): Promise<Redirect> => finish(options, back),

    identitiesOf: identities.list,

    /** @throws Problem `session.confirm`, `sign_in.last_way`, `identity.not_found` */
    unlink: (unlinked: Unlinked): Promise<void> => unlink(options, unlinked),

    /** For the hourly job. */
    endRolesOfOthers: () => identities.endRolesOfOthers(providers.withRoles),

    ...createNewcomers(options),
  };
}

type Deps = SingleSignOnOptions;

async function begin(
  { providers, steps }: Deps,
  { request, ...at }: Omit<AtProvider, 'checks'> & { request: Request },
): Promise<Redirect> {
  const { url, checks } = await providers.begin(providers.require(at.provider), {
    isFresh: at.purpose === 'confirm',
  });
  const value: AtProvider = { ...at, checks };
  return { to: url, cookies: steps.sealOfTab({ kind: 'provider', value, tag: checks.state, request }) };
}

/** A browser that has come back from a provider. `search`: the query with which the provider has sent it. */
type ComingBack = From & { provider: string; search: string };

async function finish(deps: Deps, { provider: name, search, ...from }: ComingBack): Promise<Redirect> {
  const { providers, steps, sessions } = deps;
  const state = new URLSearchParams(search).get('state') ?? '';
  const step = steps.open<AtProvider>('provider', from.request, state);
  try {
    if (!step || step.value.provider !== name || step.value.checks.state !== state)
      throw new Problem('sign_in.step_ended');
    const { provider, purpose, checks, round } = step.value;
    const isFresh = purpose === 'confirm';
    const identified = await providers.finish(providers.require(provider), { search, checks, isFresh });
    if (!identified && round === 1) return await begin(deps, { ...step.value, request: from.request, round: 2 });
    if (!identified) throw new Problem('provider.refused');
    const { to, cookies } = await outcomes[purpose](deps, { step, identified, from });
    return { to, cookies: [...cookies, steps.cleared('provider', state)] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return refusal({
      problem: error,
      provider: name,
      // A user who is signed in does not see the page of the sign-in.
      purpose: step?.value.purpose ?? ((await sessions.check(from.request)) ? 'link' : 'sign-in'),
      next: step?.value.next,
    });
  }
}

/** Who has come back: what the browser has remembered, and what the provider says. */
interface Returned {
  step: Step<AtProvider>;
  identified: Identified;
  from: From;
}

/** The user of an identity gets a session; who has none yet chooses a name. */
async function signIn(deps: Deps, { step, identified, from }: Returned): Promise<Redirect> {
  const { db, identities, steps, signUp, secondStep, users, beginSession } = deps;
  const { provider, next } = step.value;
  const known = await identities.find({ provider, ...identified });
  if (!known) {
    if (signUp === 'closed') throw new Problem('sign_up.closed');
    const unnamed: UnnamedIdentity = { provider, ...identified };
    return { to: signInPage({ named: 'no' }, next), cookies: [steps.seal('newcomer', unnamed)] };
  }
  const { userName, isDisabled } = known;
  if (isDisabled) throw new Problem('sign_in.disabled');
  const statements = [
    steps.used(step),
    identities.unchanged({ provider, userName, ...identified }),
    ...identities.roleStatements({ provider, userName, ...identified }),
  ];
  if (await secondStep.isAsked(userName)) {
    const { ok } = await db.write([lockUser(userName), ...statements]);
    if (!ok) throw new Problem('sign_in.step_ended');
    const hash = (await users.passwordHash(userName)) ?? '';
    return {
      to: signInPage({ second: '1' }, next),
      cookies: [secondStep.begin({ userName, way: provider, hash })],
    };
  }
  const after = [...secondStep.notAsked(userName), ...statements];
  const cookies = await beginSession(
    { userName, way: wayOf(provider, identified), isConfirmed: identified.isFresh, after },
    from,
  );
  // It was used, unlinked or disabled meanwhile.
  if (!cookies) throw new Problem('sign_in.step_ended');
  return { to: next, cookies };
}

async function link(deps: Deps, { step, identified, from }: Returned): Promise<Redirect> {
  const { db, identities, providers, steps, requireConfirmed, onChanged } = deps;
  const { provider, next } = step.value;
  const { subject, isOperator } = identified;
  const session = await requireBeginner(deps, step, from);
  requireUnlimited(session);
  const { userName } = session;
  const known = await identities.find({ provider, subject });
  if (known && known.userName !== userName) throw new Problem('identity.taken');
  if (known) return { to: next, cookies: [] };
  const written = await db.write([
    lockUser(userName),
    requireConfirmed(session),
    steps.used(step),
    identities.link({ provider, subject, userName }),
    ...identities.roleStatements({ provider, userName, isOperator }),
  ]);
  if (!written.ok) throw new Problem(written.failed === 'taken' ? 'identity.exists' : 'sign_in.step_ended');
  const { label } = providers.require(provider);
  await onChanged({ change: 'identity_linked', userName, detail: label, userAgent: from.userAgent });
  return { to: next, cookies: [] };
}

async function confirm(deps: Deps, { step, identified, from }: Returned): Promise<Redirect> {
  const { identities, steps, sessions } = deps;
  const { provider, next } = step.value;
  const session = await requireBeginner(deps, step, from);
  const { userName } = session;
  const unchanged = identities.unchanged({ provider, userName, ...identified });
  const second = identified.hasTwoFactors ? atProvider : undefined;
  const setCookie = await sessions.confirm(session, [steps.used(step), unchanged], second);
  if (!setCookie) throw new Problem('identity.differs');
  return { to: next, cookies: [setCookie] };
}

const outcomes = { 'sign-in': signIn, link, confirm };

/** The user who began it, if the session is the same and lives. @throws Problem `sign_in.step_ended` */
async function requireBeginner(
  { sessions }: Deps,
  { value: { sessionId } }: Step<AtProvider>,
  { request }: From,
): Promise<Session> {
  const session = await sessions.check(request);
  if (!session || session.sessionId !== sessionId) throw new Problem('sign_in.step_ended');
  return session;
}

interface Unlinked {
  session: Session;
  provider: string;
  userAgent: string;
}

async function unlink(deps: Deps, { session, provider, userAgent }: Unlinked): Promise<void> {
  const { db, identities, providers, requireConfirmed, hasWayIn, onChanged } = deps;
  const { userName } = session;
  const written = await db.write([
    lockUser(userName),
    requireConfirmed(session),
    ...identities.unlink({ userName, provider }),
    hasWayIn(userName),
  ]);
  if (!written.ok && written.failed === 'last way') throw new Problem('sign_in.last_way');
  if (!written.ok) throw new Problem(written.failed === 'not linked' ? 'identity.not_found' : 'session.missing');
  const label = providers.list.find(({ name }) => name === provider)?.label ?? provider;
  await onChanged({ change: 'identity_unlinked', userName, detail: label, userAgent });
}

/** The second factor of a session whose provider has asked for one. */
const atProvider = 'mfa';

const wayOf = (provider: string, { hasTwoFactors }: Pick<Identified, 'hasTwoFactors'>) =>
  hasTwoFactors ? withSecond(provider, atProvider) : provider;

/** Users who came from a provider for the first time choose a user name. */
function createNewcomers({ browsers, identities, steps, sessions, users, codes, signUp }: SingleSignOnOptions) {
  /** @throws Problem `sign_in.step_ended` */
  function openNewcomer(request: Request): Step<UnnamedIdentity> {
    const step = steps.open<UnnamedIdentity>('newcomer', request);
    if (!step) throw new Problem('sign_in.step_ended');
    return step;
  }

  return {
    /** What a newcomer is asked. @throws Problem `sign_in.step_ended` */
    newcomer(request: Request): Newcomer {
      const { provider, preferredName } = openNewcomer(request).value;
      return { provider, user_id: suggestedName(preferredName) };
    },

    /** Creates the user of a newcomer. @throws Problem `sign_in.step_ended`, `sign_up.closed`, `sign_up.name_invalid`, `sign_up.name_taken` */
    async signUp({
      userName,
      ...from
    }: From & { userName: string }): Promise<NewRecoveryCodes & { cookies: string[] }> {
      if (signUp === 'closed') throw new Problem('sign_up.closed');
      const step = openNewcomer(from.request);
      requireUserName(userName);
      const { made, statements } = codes().replacement(userName);
      const { provider } = step.value;
      const setCookie = await sessions
        .begin({
          userName,
          userAgent: from.userAgent,
          way: wayOf(provider, step.value),
          after: [
            steps.used(step),
            ...users.creationByProvider(userName),
            identities.link({ userName, ...step.value }),
            ...identities.roleStatements({ userName, ...step.value }),
            ...statements,
          ] satisfies Statement<string>[],
        })
        .catch(throwNameTaken);
      if (!setCookie) throw new Problem('sign_in.step_ended');
      await sessions.endReplaced(from.request);
      return {
        ...made,
        cookies: [setCookie, browsers.cookieOf(from.request, userName), steps.cleared('newcomer')],
      };
    },
  };
}

/** Where the user reads why it did not work. */
export function refusal(options: {
  problem: Problem;
  provider: string;
  purpose: Purpose;
  next: string | undefined;
}): Redirect {
  const { problem, provider, purpose, next } = options;
  const query = { refused: problem.code, provider };
  if (purpose === 'sign-in') return { to: signInPage(query, next), cookies: [] };
  return { to: `/account?${new URLSearchParams(query).toString()}#signing-in`, cookies: [] };
}

/** The address of the sign-in page, from which the user goes on to `next`. */
function signInPage(query: Record<string, string>, next = '/'): string {
  const search = new URLSearchParams({ ...query, ...(next !== '/' && { next }) });
  return `/sign-in?${search.toString()}`;
}

const mostPath = 1000;

/** A path of the app, never another site. */
function pathOf(next: string, publicUrl: string): string {
  const url = next.startsWith('/') ? URL.parse(next, publicUrl) : null;
  if (!url || url.origin !== new URL(publicUrl).origin) return '/';
  const path = url.pathname + url.search + url.hash;
  // The parser removes dot segments: `/.//host` becomes `//host`, which is another site.
  return path.startsWith('//') || path.length > mostPath ? '/' : path;
}

/** As much of a name at the provider as a user name can have; of an address what is before the @. */
function suggestedName(preferredName: string): string {
  const [name = ''] = plainText(preferredName).split('@');
  return name
    .replaceAll(/\p{M}/gu, '')
    .slice(0, 32)
    .split(/[^a-z0-9_]/)
    .filter((word) => word !== '')
    .join('-');
}
