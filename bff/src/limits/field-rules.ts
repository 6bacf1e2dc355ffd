/**
 * The limits of text, without zod, because the service's schemas, the CSV reader and the browser share them. Imports
 * nothing.
 */
export const machineTypes = ['pc', 'bug', 'smartphone'] as const;
export const memberRoles = ['producer', 'consumer', 'both'] as const;
/** The states of a device: heard within its interval; heard before; expected and not heard; never heard. */
export const presenceStates = ['online', 'offline', 'silent', 'never'] as const;
export const limits = {
  nameLength: 128,
  descriptionLength: 2000,
  /** The longest path of a URL, without its query. */
  pathLength: 1000,
  /** The longest text in a body that has no limit of its own, such as a password or an id. */
  textLength: 1000,
  bodyBytes: 65_536,
  bodyDepth: 8,
  membersAtOnce: 500,
} as const;
/**
 * Of actions: items of a part, of an action that is listed with its items, and of all these, with their bytes, and with the
 * bytes of what the items of all listed actions share; open actions, items and bytes of a user, and bytes with what the items
 * replace; ended actions that are kept; items that one request removes.
 */
export const actionLimits = {
  part: 500,
  itemsShown: 500,
  itemsListed: 2000,
  bytesListed: 524_288,
  open: 20,
  items: 200_000,
  bytes: 100_000_000,
  bytesWithUndo: 200_000_000,
  ended: 4000,
  wait: 60,
  removedAtOnce: 20,
} as const;
/** The interval in which a device is expected, in seconds: at least, at most, and of a device for which none is set. */
export const presenceLimits = { least: 60, most: 30 * 86_400, whenNotSet: 300 } as const;
/** The interval of a device that is never expected, whatever its swarms say. */
export const neverExpected = 0;
/**
 * What a round of presence does at most; the rest waits for the next one. `rows`: of one statement. `chunks`: of so many rows,
 * for members whose swarm has changed its time, for states that are due, and for states that are computed again. `users`: who
 * are notified. `devices`: of one notice, because everybody's writes wait for it.
 */
export const presenceRound = { rows: 1000, chunks: 20, users: 500, devices: 5000 } as const;
/**
 * Refused requests, and wrong keys, of devices: the devices that one process counts, and of these those of a user, and those that an
 * address has used wrong keys for. Each is written at most once in this time, and forgotten after so many days without another one.
 */
export const refusalLimits = {
  devices: 10_000,
  ofUser: 1000,
  ofAddress: 100,
  writtenEachMs: 60_000,
  detailLength: 200,
  days: 7,
} as const;
/**
 * Deliveries to a user's webhook: those that are kept, those that wait, and those that are shown. As many may wait of what the server
 * tells as of what other users ask.
 */
export const webhookLimits = { kept: 100, waiting: 1000, shown: 20, urlLength: 1000 } as const;
/**
 * Requests to webhooks and push services, of one process: at once, of these to users who were slow, and users of whom it looks for
 * one at once. A request has so much time; one that takes longer than `slowMs` is slow: its user is, for `slowForMs`, and rests
 * for `restFactor` times as long as it took. Owners are shown so much of an answer that is no success, read for so long.
 * An answer may begin with so many interim ones (1xx).
 */
export const deliveryLimits = {
  atOnce: 32,
  slowAtOnce: 16,
  users: 1000,
  timeoutMs: 10_000,
  slowMs: 1000,
  slowForMs: 600_000,
  restFactor: 5,
  answerMs: 1000,
  answerLength: 200,
  mostInterim: 10,
} as const;
/** The browsers of a user that are sent notices, and the notices that wait for each of them: of the server, and of others. */
export const pushLimits = { browsers: 20, waiting: 20, refusingHosts: 100 } as const;
/**
 * The track of a device: its last points of these days. A position becomes a point if it is at least `apart` seconds after the last
 * one, and either so many metres from it, or another position so many seconds later.
 */
export const trackLimits = { points: 1000, days: 30, apart: 1, metres: 10, seconds: 30 } as const;
/** The activity log of a user: entries about what the user did, about what others did, and about the account; the unread ones that are counted. */
export const activityLimits = {
  days: 90,
  own: 10_000,
  others: 10_000,
  ofServer: 5000,
  account: 1000,
  unread: 100,
} as const;
/** Requests with an `Idempotency-Key`: how long its answer is kept; the characters of a key; the keys of a user. */
export const idempotencyLimits = { hours: 24, keyLength: 255, ofUser: 100_000 } as const;
/**
 * Every response of the server has this header. The app takes a response without it as no response: a proxy sent it, or a network
 * in which the user has to sign in.
 */
export const serverHeader = 'x-swarmdeck';
/**
 * Of reported positions, in metres: the accuracy that one may have, and beyond which it does not replace a better one of the last so
 * many ms.
 */
export const positionLimits = { accuracy: 100_000_000, coarse: 1000, goodForMs: 3_600_000 } as const;
/** The actors in the activity log of an operator's command, and of what no user did. They cannot be names of users. */
export const operatorActor = '(operator)';
export const serverActor = '(server)';
/** The limits of the links of a swarm: open ones, and ended ones that are kept. */
export const linkLimits = { open: 100, ended: 100 } as const;
/** A watcher sees what the members of the swarm see, and changes nothing. */
export const managerRoles = ['manager', 'watcher'] as const;
/**
 * The managers and watchers of a swarm, including users who were asked; the unanswered requests of one owner to one user; the offers that
 * a user can see.
 */
export const managerLimits = { ofSwarm: 20, unanswered: 5, offersShown: 100 } as const;
/**
 * The limits of requests to join: open ones of a user, and of a swarm; ended ones of a user that are kept; how many a user
 * sends in a day, and of these to one swarm; the users that a swarm blocks.
 */
export const requestLimits = {
  open: 1000,
  ofSwarm: 10_000,
  kept: 1000,
  aDay: 1000,
  aDayToSwarm: 500,
  blocked: 1000,
} as const;
/**
 * The limits of messages: the payload as JSON; the id that a client gives; messages that are kept of a swarm, and their
 * bytes; the same with the last ones of members, which have as many bytes; messages of a page; open streams and waiting
 * requests of a device and of a user, and of these the connections by MQTT to one process; keys of a device.
 */
export const messageLimits = {
  /** The swarms of a user share so many bytes for each swarm of the quota. */
  sharedBytes: 1024 * 1024,
  payloadBytes: 16_384,
  idLength: 64,
  kept: 10_000,
  keptBytes: 32 * 1024 * 1024,
  keptHours: 24,
  page: 200,
  /**
   * The messages that one request looks at for a search, whose client continues with the next page; those of one read, in which a word takes
   * 6 ms if all have 16 KiB; and those of a part of a file.
   */
  searched: 5000,
  window: 100,
  fileWindow: 50,
  // Beside its payload, with its entries in the indexes.
  rowBytes: 512,
  keptOfMembers: 200_000,
  streamsOfDevice: 4,
  streamsOfUser: 10_000,
  keysOfDevice: 10,
  // Less than half of what a process takes (`mqttLimits`): two users leave places for others.
  connectionsOfUser: 5000,
} as const;
/** What the string of a payload stands for that is not JSON by itself. */
export const messageEncodings = ['text', 'base64'] as const;
/** The limits of MQTT in one process. */
export const mqttLimits = {
  /** The number of connections of all devices, and of clients that have not identified themselves. */
  connections: 12_000,
  /** The number of connections that have not sent CONNECT. One more ends the oldest of the address that has most of them. */
  silent: 4000,
  /** The bytes that have been read of a user's connections that are too fast. A user who has more is disconnected. */
  pausedBytes: 16 * 1024 * 1024,
  /** In publications of quality 2 of a connection, for which the client has not sent PUBREL. */
  unreleased: 500,
  /** The bytes of the wills of a user's connections, each with 256 more. A connection whose will is too much is refused. */
  willBytes: 4 * 1024 * 1024,
  /** In seconds: the longest delay of a will. */
  willDelay: 86_400,
} as const;
/**
 * In keys and sessions: those that a process keeps in memory, and the unknown keys of one address that wait to be read. As many
 * as can be connected by MQTT, and as many again by HTTP: after a restart, all keys behind one proxy may come at once.
 */
export const keyLimits = {
  cached: 2 * mqttLimits.connections,
  waiting: 2 * mqttLimits.connections,
  readAtOnce: 256,
  /** The number of device keys that one write creates. */
  createdAtOnce: 100,
} as const;
/** The bytes of the header by which a proxy tells the address of its client, with all that version 2 adds to it. */
export const proxyHeaderAtMost = 4096;
/**
 * What receivers cost, in deliveries: a message to one receiver is one for each started `bytes` of its payload. `atRead`: a
 * read of what a receiver has missed.
 */
export const deliveryCosts = { bytes: 8192, atRead: 5 } as const;
/**
 * The users who get the event of a changed device are found by its swarms. In such rows: of one read, for all users; of the changes of one owner in a
 * beat of the streams; what a changed swarm counts. `positions`: of one resource, in a second.
 */
export const eventLimits = { rows: 4000, ofOwner: 1000, rowsOfSwarm: 25, positions: 5 } as const;
/**
 * What a stream resumes instead of a `reset`: events of its user, and their bytes. `entries`: of all users, which are looked through
 * for them. `heldBytes`: of new events meanwhile.
 */
export const resumeLimits = { events: 1000, bytes: 131_072, entries: 10_000, heldBytes: 131_072 } as const;
/** The limits of saved views. */
export const savedViewLimits = { nameLength: 64 } as const;

/** A user name: 3 to 32 of `a-z 0-9 _ -`, in lower case. */
export const userNameRule = /^[a-z0-9_-]{3,32}$/;

/** The length in code points, not in UTF-16 units. */
export function codePoints(text: string): number {
  let count = text.length;
  // An iterator takes three times as long.
  for (let at = 1; at < text.length; at++)
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count -= 1;
  return count;
}

/** A visible character: a letter, number, punctuation or symbol, except fillers and the blank Braille pattern. */
export const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/** Control characters except tab and line breaks, which no text may contain. */
export const unprintable = /[\p{Cc}--[\t\n\r]]/v;

/** What a label must not have: control characters, also line breaks, and those that change the direction of writing. */
export const notInLabel = /[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/v;

/** All ids are UUIDv7 in lower case; any other text matches nothing. */
export const idFormat = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * In ms: devices that fall silent within this time are one notice; one device causes at most two notices in this time,
 * silent and back; invitations within this time are one request to a webhook.
 */
export const noticeMs = { together: 60_000, pair: 600_000, gather: 10_000 };
