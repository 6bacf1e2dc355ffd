/** The types of the account and its keys for the web app. Not validated, because only the server makes them. */
import type { ProblemCode } from './problem.ts';
import type { KeyScope } from '../limits/field-rules.ts';
import type { quotaTable } from '../limits/limit-tables.ts';

/** `GET /api/account`. */
export interface Account {
  user_id: string;
  /** Sees all users (`/api/operator`). */
  role?: 'operator';
  created_at: string;
  resources: number;
  swarms_owned: number;
  /**
   * The usage of each quota. `members` are those of the user's largest swarm, `invitations` the open ones that the user
   * has sent. `allowed`: null for no limit.
   */
  quotas: Record<Exclude<keyof typeof quotaTable, 'swarms_of_device'>, { used: number; allowed: number | null }>;
  /** `POST /auth/sign-out` `{session_id}` ends this session, and no other that the browser may have by then. */
  session_id: string;
  /** The end of this session if it is not used. */
  session_expires_at: string;
  /**
   * Set if this server requires a second factor and this session has none. Until then, it can only set one up (`set_up`) or show the
   * one that the user has (`confirm`).
   */
  second_factor?: 'set_up' | 'confirm';
  /** The user has not said that the recovery codes are stored, which were shown once. */
  unstored_codes?: true;
}

/**
 * `GET /auth/confirm`: how the user can confirm their identity with `POST /auth/confirm`, which takes one of them as the property of
 * that name. Providers are not listed: `POST /auth/oidc/:provider` begins such a confirmation.
 */
export interface ConfirmingWays {
  ways: string[];
}

/**
 * What the sign-in page offers. `passwords`: whether users have passwords here. `passkeys`: whether browsers have them at the address
 * of this server.
 */
export interface SignInOptions {
  sign_up: 'open' | 'closed';
  passwords: boolean;
  passkeys: boolean;
  /** Whether a link for a lost password is sent by mail. */
  mail_link: boolean;
  providers: { name: string; label: string }[];
}

/**
 * The answer of a sign-up, and of new codes: they are shown once. `PUT /api/account/recovery-codes/stored` `{set_id}` (204, 409
 * `recovery_codes.replaced`) says that the user has stored them. `set_id`: missing if there are none.
 */
export interface NewRecoveryCodes {
  recovery_codes: string[];
  set_id?: string;
}

/** The answer of a sign-in by password, if a code of the authenticator app is asked for (`POST /auth/second-factor`). */
export interface SecondFactorNeeded {
  second_factor: true;
}

/** `url`: where the user can also sign out at the provider. */
export interface SignedOut {
  url: string;
}

/** By which a user chooses a new password, once. */
export interface PasswordLink {
  url: string;
  expires_at: string;
}

/**
 * A key without its secret. `last_used_at` is at most an hour before the last use; a day in UTC, `2026-01-02`, if an earlier version has stored it. Only a key of a device can have `expires_at`. `refused`: what its scope
 * did not allow, by the name of the operation; the first of the last day on which there was something.
 */
export interface ApiKey {
  id: string;
  name: string;
  scope: KeyScope;
  ends_in: string;
  created_at: string;
  last_used_at?: string;
  expires_at?: string;
  refused?: { at: string; operation: string };
}

/**
 * `GET /api/account/keys`: the keys of the user, oldest first, and the newest hundred of the keys of devices. `POST` `{name, scope?, attempt?}`
 * creates one and responds with a CreatedApiKey (201). The scope is `all` by default. `attempt`: a UUID that the client makes, and sends again
 * with each try. What an earlier try has created is revoked: its answer was lost, so nobody has the key.
 * `DELETE /api/account/keys/:id` revokes any of them.
 */
export interface AccountKeys {
  items: ApiKey[];
  device_keys: { items: DeviceKey[]; total: number };
}

/**
 * A key that acts only for one device: it sends and receives its messages, and reads and updates its record. At most ten of
 * a device, which are listed by `GET /api/devices/:id/keys` (DeviceKeys). `POST` `{name, expires_at?, attempt?}`
 * creates one and responds with a CreatedApiKey (201), `DELETE /api/devices/:id/keys/:key` revokes it (204).
 */
export interface DeviceKey extends ApiKey {
  device: { id: string; name: string };
}

/** Where devices connect other than by HTTP. Each capability that listens adds its own. */
export interface DeviceAddresses extends Record<never, never> {}

/** `items`: oldest first. */
export interface DeviceKeys extends DeviceAddresses {
  items: ApiKey[];
}

/** The response to the creation of a key, the only one with its secret. */
export interface CreatedApiKey extends ApiKey {
  key: string;
}

/**
 * `POST /api/devices/keys` `{resource_ids, attempt?}`, at most 500: one more key for each of the caller's devices, 100 in a write (201). The
 * keys are shown only here. `failed`: devices that have ten keys (`key.too_many`), are not the caller's, or are those of a write
 * that failed after others.
 */
export interface CreatedDeviceKeys {
  items: { device: { id: string; name: string }; key: string }[];
  failed: { id: string; code: ProblemCode }[];
}

export interface Session {
  id: string;
  user_agent: string;
  created_at: string;
  /** The last use, to the hour; of the current session, now. */
  active_at: string;
  current: boolean;
}

/** A user for the operator: who it is and how much it has, never what. */
export interface OperatedUser {
  user_id: string;
  created_at: string;
  /** Null for a user who is not disabled. */
  disabled_at: string | null;
  role: 'operator' | null;
  /** The last use of a session or of a key, also of a device, to the day; null if there is none. */
  active_at: string | null;
  resources: number;
}

/**
 * `GET /api/operator/users?q=&state=disabled&after=&limit=`, and one of them: `GET /api/operator/users/:name`, UserDetails.
 * POST `…/:name/disable`, `…/:name/enable` and `…/:name/sign-out` (204). Only for operators, others get 403.
 */
export interface UserPage {
  items: OperatedUser[];
  /** For `after`; null on the last page. */
  next: string | null;
  total: number;
}

export interface UserDetails extends OperatedUser {
  sessions: number;
  quotas: Account['quotas'];
}
