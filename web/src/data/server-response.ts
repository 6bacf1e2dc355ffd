import { serverHeader } from '@swarmdeck/bff/first-rules';

/** Whether the server has written it, and no proxy, and no network in which the user has to sign in first. */
export const isFromServer = ({ headers }: Response): boolean => headers.has(serverHeader);
