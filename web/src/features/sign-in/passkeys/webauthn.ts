/** What the browser does with passkeys. */
import type { PasskeyCreation, PasskeyRequest } from '@swarmdeck/bff/contract';

/** An address that is a number, as in `https://192.0.2.7`, has no passkeys. */
export const isNumber = (host: string) => /^[\d.]+$|^\[/.test(host);

/**
 * Whether this browser can sign in here with a passkey. Older ones lack the functions that read and write JSON. Known before the
 * server has answered, so that nothing moves under the pointer.
 */
export const hasWebAuthn = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !isNumber(location.hostname);

/** Whether this device asks for a finger, a face or a PIN itself. */
export async function hasPlatformAuthenticator(): Promise<boolean> {
  if (!hasWebAuthn()) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

/** Whether the browser offers passkeys among the suggestions of a field. */
export async function hasAutofill(): Promise<boolean> {
  if (!hasWebAuthn()) return false;
  return PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false);
}

/** The user has closed what the browser asked, or has taken too long: browsers do not say which. */
export class PasskeyCancelled extends Error {}
/** This device already has a passkey of this user. */
export class PasskeyKnown extends Error {}

/**
 * With a `signal`, which ends that, the browser offers passkeys among the suggestions of a field with `autocomplete="webauthn"`.
 * @throws PasskeyCancelled
 */
export async function answerOf(request: PasskeyRequest, signal?: AbortSignal): Promise<object> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request);
  const autofill = signal && ({ signal, mediation: 'conditional' } as const);
  return jsonOf(await navigator.credentials.get({ publicKey, ...autofill }).catch(rethrow));
}

/** @throws PasskeyCancelled, PasskeyKnown */
export async function createdOf(creation: PasskeyCreation): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(creation);
  return jsonOf(await navigator.credentials.create({ publicKey }).catch(rethrow));
}

function jsonOf(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyCancelled();
  return credential.toJSON();
}

function rethrow(error: unknown): never {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'InvalidStateError') throw new PasskeyKnown();
  if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled();
  throw error;
}
