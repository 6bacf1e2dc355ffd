/** The limits of the links of a swarm: open ones, and ended ones that are kept. */
export const linkLimits = { open: 100, ended: 100 } as const;
