/** The limits of saved views that the browser also knows. */
export const savedViewLimits = { nameLength: 64 } as const;
