/** The keys of what only the pages of the account, of signing in and of operators read: the first page does not need them. */
export const accountKeys = {
  apiKeys: ['api-keys'],
  deviceKeys: (resource_id: string) => ['api-keys', resource_id],
  sessions: ['sessions'],
  passwordLink: (code: string) => ['password-link', code],
  recoveryCodes: ['recovery-codes'],
  totp: ['totp'],
  confirmingWays: ['confirming-ways'],
  passkeys: ['passkeys'],
  identities: ['identities'],
  address: ['address'],
  newcomer: ['newcomer'],
  signInOptions: ['sign-in'],
  dueSignOut: ['sign-out'],
  operator: (...key: string[]) => ['operator', ...key],
  webhook: ['webhook'],
  push: ['push'],
} as const;
