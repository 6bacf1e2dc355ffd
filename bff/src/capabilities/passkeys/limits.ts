/** Passkeys of a user, and in characters what a browser sends of one, whose formats have no limits. */
export const passkeyLimits = { ofUser: 20, idLength: 1400, partLength: 8192 } as const;
