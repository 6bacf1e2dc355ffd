/** The limits of the links of a swarm: open ones, ended ones that are kept, and the resources that one link takes, as many as a swarm has members. */
export const linkLimits = { open: 100, ended: 100, resources: 100_000 } as const;
