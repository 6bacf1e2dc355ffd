/** The keys of what only the pages of the account, of signing in and of operators read: the first page does not need them. */
export const accountKeys = {
  apiKeys: ['api-keys'],
  deviceKeys: (resource_id: string) => ['api-keys', resource_id],
  sessions: ['sessions'],
  /** Read when opened. */
  passwordLink: (code: string) => ['password-link', code],
  recoveryCodes: ['recovery-codes'],
  shownCodes: ['recovery-codes-shown'],
  totp: ['totp'],
  /** Read when opened. */
  confirmingWays: ['confirming-ways'],
  passkeys: ['passkeys'],
  identities: ['identities'],
  address: ['address'],
  /** Read when opened. */
  newcomer: ['newcomer'],
  /** Read when opened. */
  signInOptions: ['sign-in'],
  dueSignOut: ['sign-out'],
  operator: (...key: string[]) => ['operator', ...key],
  webhook: ['webhook'],
  /** Read when opened. */
  push: ['push'],
} as const;
