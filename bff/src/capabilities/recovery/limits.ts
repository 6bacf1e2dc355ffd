/** The number of recovery codes of a user, which are made together. */
export const codesOfUser = 10;
