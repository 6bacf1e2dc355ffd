/** Reason codes of MQTT 5, and the codes of version 3.1.1 and the statuses of the service for them. */
export const reasons = {
  success: 0,
  noSubscription: 0x11,
  unspecified: 0x80,
  malformed: 0x81,
  protocolError: 0x82,
  badVersion: 0x84,
  badClientId: 0x85,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  unavailable: 0x88,
  shuttingDown: 0x8b,
  badAuthentication: 0x8c,
  keepAliveTimeout: 0x8d,
  takenOver: 0x8e,
  badFilter: 0x8f,
  badTopic: 0x90,
  unknownIdentifier: 0x92,
  tooManyInFlight: 0x93,
  badAlias: 0x94,
  tooLarge: 0x95,
  tooFast: 0x96,
  quotaExceeded: 0x97,
  badPayload: 0x99,
  noRetain: 0x9a,
  noSharedSubscriptions: 0x9e,
  noSubscriptionIdentifiers: 0xa1,
} as const;
export type Reason = (typeof reasons)[keyof typeof reasons];

/** The reason for each status of the service. */
export const reasonsOfStatus: Record<number, Reason> = {
  400: reasons.badPayload,
  401: reasons.notAuthorized,
  403: reasons.notAuthorized,
  404: reasons.notAuthorized,
  // `tooLarge` is a reason of DISCONNECT only.
  413: reasons.badPayload,
  429: reasons.quotaExceeded,
};

/** MQTT 3.1.1 has other codes for a refused connection. */
const oldCodes = { version: 1, identifier: 2, unavailable: 3, credentials: 4, notAuthorized: 5 } as const;

const oldCodesOfReason: Partial<Record<Reason, number>> = {
  [reasons.badVersion]: oldCodes.version,
  [reasons.badClientId]: oldCodes.identifier,
  [reasons.badCredentials]: oldCodes.credentials,
  [reasons.notAuthorized]: oldCodes.notAuthorized,
};
export const oldCodeOf = (reason: Reason): number => oldCodesOfReason[reason] ?? oldCodes.unavailable;
