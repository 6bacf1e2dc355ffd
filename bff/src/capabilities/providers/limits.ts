/** The bytes of an answer of a provider, the characters of the id of a user there, and of the name, which is cut. */
export const providerLimits = { bytes: 1_000_000, subjectLength: 255, nameLength: 100 } as const;
