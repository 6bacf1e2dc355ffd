/** Those of `field-rules.ts` that the first page of the web app needs: it loads only these before its first view. Imports nothing. */
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
