/** The rules that the web app needs before its first view. It loads them without the others of `field-rules.ts`, so this file imports nothing. */
/** The characters of a search. */
export const searchLength = 200;
export const machineTypes = ['pc', 'bug', 'smartphone'] as const;
export const memberRoles = ['producer', 'consumer', 'both'] as const;
/** The states of a device: heard within its interval; heard before; expected and not heard; never heard. */
export const presenceStates = ['online', 'offline', 'silent', 'never'] as const;
/**
 * Every response of the server has this header. The app takes a response without it as no response: a proxy sent it, or a network
 * in which the user has to sign in.
 */
export const serverHeader = 'x-swarmdeck';
