/** Passkeys (WebAuthn): both factors in one, by which a user signs in without a name. */
import { generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from '@hono/zod-openapi';
import type { ProblemCode } from '../../contract.ts';
import { Problem } from '../../core/problem.ts';
import { passkeyLimits } from './limits.ts';
import type { Database } from '../../core/store/database.ts';
import type { Statement } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import type { PasskeyCreation, PasskeyRequest } from './contract.ts';
import { createPasskeyStore } from './passkeys.store.ts';
import type { SecondFactors } from '../../core/accounts/second-factors.store.ts';
import { strengthened, type Session } from '../../core/accounts/sessions.store.ts';
import type { Steps } from '../../core/accounts/steps.store.ts';
import type { HasWayIn } from '../../core/accounts/ways-in.store.ts';

/** ES256, EdDSA and RS256: what authenticators have. */
const algorithms = [-7, -8, -257];
/** In ms: people look for their phone, or read what the browser asks. */
const timeout = 300_000;

/** Base64url. */
const bytes = z
  .string()
  .max(passkeyLimits.partLength)
  .regex(/^[\w-]+$/);
const credentialParts = {
  id: bytes.max(passkeyLimits.idLength),
  rawId: bytes.max(passkeyLimits.idLength),
  type: z.literal('public-key'),
  // What a browser adds is not read.
  clientExtensionResults: z.object({}),
};
/** What a browser answers to a `PasskeyRequest`, as JSON. */
export const usedCredential = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish().transform((handle) => handle ?? undefined),
  }),
});
export type UsedCredential = z.output<typeof usedCredential>;
/** What a browser answers to a `PasskeyCreation`. */
export const newCredential = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .catch([]),
  }),
});

const clientData = z.object({ challenge: z.string(), crossOrigin: z.literal(false).optional() });

/** Names the step of the tab that has asked. Undefined if the page was in a frame of another site. */
function challengeOf({ clientDataJSON }: { clientDataJSON: string }): string | undefined {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return undefined;
  }
}

/** A right answer, and the statements that note its use: of two writes with one answer, one fails. */
interface UsedPasskey {
  userName: string;
  statements: Statement<string>[];
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Takes up to 280 ms, in which all wait. Without HTTPS, it is loaded on first use. */
const loadLibrary = () => import('@simplewebauthn/server');

/**
 * Whether browsers have passkeys for an origin: they need a host name, and HTTPS except on this machine.
 */
function hasPasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 && (protocol === 'https:' || isLocal);
}

export function createPasskeys(options: {
  db: Database;
  publicUrl: string;
  steps: Steps;
  hasWayIn: HasWayIn;
  secondFactors: Pick<SecondFactors, 'removed'>;
  now: () => Date;
}) {
  const { db, publicUrl, steps, hasWayIn, secondFactors, now } = options;
  const store = createPasskeyStore({ db, now });
  const expected = {
    expectedOrigin: new URL(publicUrl).origin,
    expectedRPID: new URL(publicUrl).hostname,
    requireUserVerification: true,
  };
  /** What an unknown passkey is verified with, so that its refusal takes as long as that of a wrong answer. */
  let ofNobody: Uint8Array | undefined;

  const isAvailable = hasPasskeys(publicUrl);

  return {
    isAvailable,
    load: isAvailable && publicUrl.startsWith('https:') ? loadLibrary : undefined,
    list: store.list,
    rename: store.rename,

    /** What a browser asks of an authenticator, and the cookie that remembers its challenge. Nobody is named. */
    async request(request: Request): Promise<{ options: PasskeyRequest; cookies: string[] }> {
      const { generateAuthenticationOptions } = await loadLibrary();
      const asked = await generateAuthenticationOptions({
        rpID: expected.expectedRPID,
        userVerification: 'required',
        timeout,
      });
      const { challenge } = asked;
      const cookies = steps.sealOfTab({ kind: 'passkey', value: { challenge }, tag: challenge, request });
      return { options: asked, cookies };
    },

    /** The user of an answer. Undefined if it is wrong, used, or of an unknown passkey or a disabled user. */
    async verify(request: Request, credential: UsedCredential): Promise<UsedPasskey | undefined> {
      const challenge = challengeOf(credential.response);
      const step =
        challenge === undefined ? undefined : steps.open<{ challenge: string }>('passkey', request, challenge);
      if (!step) return undefined;
      const { verifyAuthenticationResponse } = await loadLibrary();
      const { id, response } = credential;
      const stored = await store.find(id);
      const publicKey = stored?.publicKey ?? (ofNobody ??= publicKeyOfNobody());
      const verified = await verifyAuthenticationResponse({
        ...expected,
        response: credential as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
        expectedChallenge: step.value.challenge,
        credential: { id, publicKey: Uint8Array.from(publicKey), counter: stored?.counter ?? 0 },
        // The library throws if anything is wrong with the answer.
      }).catch(() => undefined);
      if (!stored || !verified?.verified) return undefined;
      const { userName, userId } = stored;
      if (response.userHandle !== undefined && response.userHandle !== handleOf(userId)) return undefined;
      const counter = verified.authenticationInfo.newCounter;
      return { userName, statements: [steps.used(step), store.used({ id, userName, counter })] };
    },

    /** What a browser asks of an authenticator for a new passkey of this user. */
    async creation(userName: string, request: Request): Promise<{ options: PasskeyCreation; cookies: string[] }> {
      const { generateRegistrationOptions } = await loadLibrary();
      const userId = await store.userId(userName);
      if (userId === undefined) throw new Problem('session.missing');
      const known = await store.ids(userName);
      if (known.length >= passkeyLimits.ofUser) throw new Problem('passkey.too_many');
      const asked = await generateRegistrationOptions({
        rpName: 'Swarmdeck',
        rpID: expected.expectedRPID,
        userName,
        userDisplayName: userName,
        userID: new TextEncoder().encode(userId),
        attestationType: 'none',
        excludeCredentials: known,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
        timeout,
      });
      const { challenge } = asked;
      const cookies = steps.sealOfTab({ kind: 'new-passkey', value: { challenge, userName }, tag: challenge, request });
      return { options: asked, cookies };
    },

    /** Stores the passkey of an answer, and returns its id. @throws Problem `passkey.refused`, `passkey.too_many` */
    async add({ session, name, request, credential, confirmed }: AddedPasskey): Promise<string> {
      const { userName } = session;
      const challenge = challengeOf(credential.response);
      if (challenge === undefined) throw new Problem('passkey.refused');
      const step = steps.open<{ challenge: string; userName: string }>('new-passkey', request, challenge);
      if (step?.value.userName !== userName) throw new Problem('passkey.refused');
      const { verifyRegistrationResponse } = await loadLibrary();
      const verified = await verifyRegistrationResponse({
        ...expected,
        response: credential,
        expectedChallenge: step.value.challenge,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => undefined);
      if (!verified?.verified) throw new Problem('passkey.refused');
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      const { transports } = credential.response;
      const written = await db.write([
        lockUser(userName),
        confirmed,
        steps.used(step),
        ...store.added({ id, userName, name, publicKey, counter, transports }),
        strengthened(session, 'passkey'),
      ]);
      if (!written.ok) throw new Problem(problems[written.failed] ?? 'passkey.refused');
      return id;
    },

    /** Returns the name of the removed passkey. @throws Problem `passkey.not_found`, `sign_in.last_way`, `second_factor.last` */
    async remove({ session, id, confirmed }: RemovedPasskey): Promise<string> {
      const { userName } = session;
      const passkey = { userName, id };
      const name = await store.nameOf(passkey);
      if (name === undefined) throw new Problem('passkey.not_found');
      const written = await db.write([
        lockUser(userName),
        confirmed,
        store.removed(passkey),
        hasWayIn(userName),
        ...secondFactors.removed(session),
      ]);
      if (!written.ok) throw new Problem(problems[written.failed] ?? 'passkey.not_found');
      return name;
    },
  };
}

/** The problem for each expectation that failed. */
const problems: Record<string, ProblemCode | undefined> = {
  'session ended': 'session.missing',
  'no user': 'session.missing',
  'too many': 'passkey.too_many',
  'last way': 'sign_in.last_way',
  'last factor': 'second_factor.last',
};

interface RemovedPasskey {
  session: Pick<Session, 'userName' | 'sessionId' | 'way'>;
  id: string;
  /** Fails the write if the session that was confirmed has ended. */
  confirmed: Statement<string>;
}

interface AddedPasskey {
  session: Pick<Session, 'userName' | 'sessionId' | 'way'>;
  name: string;
  request: Request;
  credential: z.output<typeof newCredential>;
  confirmed: Statement<string>;
}

const handleOf = (userId: string) => Buffer.from(userId).toString('base64url');

/** COSE: a key on the curve P-256, whose private half nobody has. */
function publicKeyOfNobody(): Uint8Array {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const part = (label: number, text = '') => [label, 0x58, 32, ...Buffer.from(text, 'base64url')];
  return Uint8Array.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, ...part(0x21, x), ...part(0x22, y)]);
}
