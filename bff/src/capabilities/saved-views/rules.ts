/** What the browser knows of it. */
export const savedViewLimits = { nameLength: 64 } as const;
