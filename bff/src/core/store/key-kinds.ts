/**
 * The kinds of API keys, as they are stored. `own`: a user has created it, for a program or for a device. `gateway`: the gateway attaches
 * it to the user's requests. Databases of earlier versions have the words `device` and `held` for them.
 */
export const keyKinds = { own: 'device', gateway: 'held' } as const;
