/**
 * The kinds of API keys, as they are stored. `own`: a user has created it, for a program or for a device. `gateway`: the gateway attaches
 * it to the user's requests.
 */
export const keyKinds = { own: 'device', gateway: 'held' } as const;
