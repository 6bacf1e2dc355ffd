const MiB = 1024 * 1024;

/** The limits of MQTT in one process. */
export const mqttLimits = {
  /** The number of connections of all devices, and of clients that have not identified themselves. */
  connections: 12_000,
  /** The number of connections that have not sent CONNECT. One more ends the oldest of the address that has most of them. */
  silent: 4000,
  /** The bytes that have been read of a user's connections that are too fast. A user who has more is disconnected. */
  pausedBytes: 16 * MiB,
  /** In publications of quality 2 of a connection, for which the client has not sent PUBREL. */
  unreleased: 500,
  /** In publications of a connection that are being written. Then its socket is not read. */
  inFlight: 16,
  /** In characters. */
  clientId: 256,
  /** The bytes of the wills of a user's connections, each with 256 more. A connection whose will is too much is refused. */
  willBytes: 4 * MiB,
  /** In seconds: the longest delay of a will. */
  willDelay: 86_400,
  /** In bytes: what a packet may have beside the payload of a message. */
  besidePayload: 4096,
  /** In ms: a client that has not sent CONNECT by then is disconnected. */
  connectMs: 10_000,
  /** In ms: a client that does not read what was written before the end of its connection holds the socket no longer. */
  closeMs: 2000,
} as const;

/** The bytes of the header by which a proxy tells the address of its client, with all that version 2 adds to it. */
export const proxyHeaderAtMost = 4096;
