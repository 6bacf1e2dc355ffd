/** What the parts of the server hold, send and do at most, a table for each part. Imports only `durations.ts` and `first-rules.ts`. */
import { dayMs, hourMs, minuteMs } from './durations.ts';
import { searchLength } from './first-rules.ts';

const MiB = 1024 * 1024;

/**
 * What one process remembers, so that it need not be read or made again. Each row is for itself. Beyond it, what was stored longest ago is
 * forgotten; a count is stored again with each use. No setting changes it. The page for operators has the same table.
 */
export const memoryTable = {
  // A process has 24,000 connections by HTTP and 12,000 by MQTT. After a restart, all clients behind one proxy may connect at once.
  keys: { what: 'API keys and devices’ keys; as many sessions, and as many keys of the app', most: 36_000 },
  pipelining_addresses: { what: 'addresses whose connections are read one request at a time', most: 10_000 },
  refused_keys: { what: 'wrong keys, each at an address, that are refused without another read', most: 10_000 },
  // The table of one rate stays below 10 MB.
  rates: { what: 'users, devices or addresses whose use is counted, of each rate', most: 50_000 },
  signed_in_users: { what: 'users, each with the last five addresses where they have signed in', most: 20_000 },
  sign_in_addresses: { what: 'addresses where somebody has signed in', most: 20_000 },
  list_versions: { what: 'users whose list of devices has a version', most: 10_000 },
  lists: { what: 'bytes of lists of devices; one from 256 KiB on is read for each request', most: 64 * MiB },
  indexes: { what: 'bytes of indexes of viewed devices; the user who has most loses one', most: 600_000_000 },
} as const satisfies Record<string, { what: string; most: number }>;

/** What the query of a request may ask for. */
export const queryLimits = {
  /** The rows of a page; of a page of devices, of which bulk actions read thousands. */
  page: 200,
  devicePage: 1000,
  /** The characters of a search, and the words of a search in messages, each of which is looked for in each message. */
  searchLength,
  messageWords: 6,
  /** The devices that are asked for by their ids, and the keys of their last values. */
  ids: 100,
  keys: 4,
  /** In seconds: how long a request waits for a message. */
  wait: 60,
  /** The characters of the query that names the records of an action, and of the address of a saved view. */
  filterLength: 8000,
  viewLength: 4000,
} as const;

/** The index of the devices that users view. */
export const indexLimits = {
  /** In bytes: the texts of one audience. If it has more, a search reads the rows again. */
  textBytes: 64_000_000,
  /** The keys of values whose numbers are in memory, of one audience. */
  valueColumns: 4,
  /** The searches in one audience that are remembered: of a user, and of all. */
  searchesOfUser: 8,
  searches: 64,
} as const;

/** What a user has of the sign-in. */
export const signInLimits = {
  /** The characters of a password. */
  passwordLength: { least: 8, most: 128 },
  /** In ms: how long a confirmation counts, a link of a mail or of an operator, and a step between two requests. */
  confirmedMs: 600_000,
  linkMs: hourMs,
  stepMs: 600_000,
  /** The steps of one kind that the tabs of a browser have. With the longest path to return to, each is a cookie of 2.5 kB. */
  stepsOfBrowser: 4,
  /** In ms after a sign-up: its response may be lost, and a sign-in of such a browser be the same try. */
  signUpRepeatedMs: 600_000,
  /** The number of sessions. One more ends the one used longest ago. A script that signs in every minute must not fill the table. */
  sessions: 100,
  /** The addresses where a user has signed in that are remembered. */
  addresses: 5,
  /** The users that one browser remembers: a computer of a family. With names of 32 characters, its cookie stays below 1 kB. */
  usersOfBrowser: 10,
} as const;

/** An event stream. */
export const streamLimits = {
  /** In ms: how long it lasts. The client then reconnects with its credential, which renews a session. */
  lastsMs: 12 * hourMs,
  /** The bytes that are buffered for a client that does not read. Node would buffer any amount. */
  unreadBytes: 256 * 1024,
  /** What one stream of the app watches: audiences, and devices. */
  watched: 20,
  /** The swarms whose messages it has. Those beyond are left out: a tab shows one. */
  swarms: 5,
  /** The new messages of a swarm that it gets at once, and their bytes: more would cut the stream. */
  messages: 20,
  messageBytes: 64 * 1024,
  /** The events in a second, while a large action of the user runs or many devices are silent. Instead of more, it gets a `reset`. */
  ofSecond: 20,
} as const;

/** Answered invitations. */
export const invitationLimits = {
  /** The number of those that a user has sent. The oldest are deleted in the hourly job. */
  answeredOfSender: 200_000,
  /** The number for one swarm, device and role. */
  answeredOfDevice: 10,
} as const;

/** What a round of presence does at most. The rest waits for the next one. */
export const presenceRound = {
  /** In ms: so often are times written at which devices were heard. */
  everyMs: 5000,
  /** The number of rows of one statement. */
  rows: 1000,
  /** The number of these statements for each of three kinds of states: of members whose swarm has changed its time, due ones, and ones that are computed again. */
  chunks: 20,
  /** The number of users who are notified. */
  users: 500,
  /** The number of swarms whose owners, managers and watchers are notified. */
  swarms: 100,
  /** The number of devices in one notice, because everybody's writes wait for it. */
  devices: 5000,
} as const;

/** Refused requests, and wrong keys, of devices. */
export const refusalLimits = {
  /** The number of devices of a user that one process remembers, of all in `memoryTable`. */
  ofUser: 1000,
  /** The number of these that an address has used wrong keys for. */
  ofAddress: 100,
  /** A device is written at most once in this time, in ms. */
  writtenEachMs: 60_000,
  /** The characters of the reason. */
  detailLength: 200,
  /** Without another one, they are forgotten after so many days. */
  days: 7,
} as const;

/** Mails that wait in their table, and those that one process sends. */
export const mailLimits = {
  /** The rows. One more deletes the newest notice of the user who has most; a link, if there is no notice. */
  waiting: 2000,
  /** The rows of one user, in the same way. */
  ofUser: 20,
  /** The rows that go into one mail: the changes within a minute, or the accounts of an address. A write has as many. */
  ofMail: 20,
  /** In ms: how long a notice waits for others, with which it becomes one mail. */
  gatherMs: minuteMs,
  /** The number of connections to the mail server. */
  atOnce: 2,
  /** In ms, after each try that has failed. The last one is repeated until a link has ended after an hour, or a notice after a day. */
  retryMs: [minuteMs, 5 * minuteMs, 15 * minuteMs],
  /** For everything that is said to the mail server about one mail. */
  timeoutMs: 60_000,
  /** For a step of it: a connection, an answer. */
  stepMs: 10_000,
  /** Longer than one is sent. Then another process sends what was of a process that has ended. */
  claimedMs: 120_000,
  /** How long the end of the process waits for mails that are being sent. */
  closeMs: 3000,
} as const;

/** Deliveries to a user's webhook. */
export const webhookLimits = {
  /** The number that is kept when they have ended. */
  kept: 100,
  /** The number of waiting deliveries that the server causes; others may cause as many again. */
  waiting: 1000,
  shown: 20,
  urlLength: 1000,
} as const;

/** The browsers of a user that are sent notices, and the notices that wait for each of them: of the server, and of others. */
export const pushLimits = { browsers: 20, waiting: 20, refusingHosts: 100 } as const;

/** The activity log of a user. */
export const activityLimits = {
  days: 90,
  /** The number of entries about what the user did. */
  own: 10_000,
  /** The number of entries about what other users did. */
  others: 10_000,
  /** The number of entries about what the server did. */
  ofServer: 5000,
  /** The number of entries about the account. */
  account: 1000,
  /** Equal entries of a day about a membership or an invitation. Of others, the newest is kept. */
  repeated: 10,
  /** The number of unread entries that are counted. */
  unread: 100,
  /** The viewers of a deleted swarm who get an entry, and its devices that are looked at: one write must not take long. */
  viewers: 1000,
  /** The devices of a user that one entry names. */
  names: 10,
} as const;

/** Requests with an `Idempotency-Key`: how long its answer is kept; the characters of a key; the keys of a user. */
export const idempotencyLimits = { hours: 24, keyLength: 255, ofUser: 100_000 } as const;

/** Who sees the devices of a swarm: what is kept of its changes, and how owners of devices are told. */
export const audienceLimits = {
  /** The number of days for which changes are kept. */
  days: 90,
  /** The number of changes of roles that are kept of a swarm, and as many of its reach and of its receivers. */
  changes: 1000,
  /** The number of swarms of a page. */
  page: 100,
  /** The number of swarms of a page about the past, which reads their changes. */
  pastPage: 20,
  /** In ms: changes within this time are one notice, and what is undone within it is none. */
  togetherMs: 120_000,
  /** At most two notices of a swarm in this time, in ms. */
  pairMs: 600_000,
  /** At most one notice in this time, in ms, says that devices of others receive. */
  receiversMs: dayMs,
  /** The users who are told by one write, because everybody's writes wait for it. */
  users: 500,
  /** The number of such writes in a round. */
  slices: 20,
} as const;

/** The ends of memberships and of watchers. */
export const consentLimits = {
  /** The number of days after which one with an end ends at the latest. */
  days: 366,
  /** In ms: so long before the end, the one who may extend it gets a notice. */
  noticeMs: hourMs,
  /** In ms: what has begun so short a time before that needs no notice. */
  begunMs: 300_000,
  /** In ms: a round looks at the clock at least as often while something has an end, because the clock may be set. */
  everyMs: 1000,
  /** The members of a swarm that are deleted by one write, and the notices of one, because everybody's writes wait for it. */
  atOnce: 100,
  /** The number that one round reads. */
  ofRound: 2000,
} as const;

/** The limits of keys and sessions in one process. */
export const keyLimits = {
  /** The number of unknown keys of one address that wait to be read. */
  waiting: memoryTable.keys.most,
  /** The number of these keys that one read looks for. */
  readAtOnce: 256,
  /** The characters of an address and a wrong key that are remembered: an IPv6 network, a space and a key. */
  refusedLength: 100,
  /** The number of device keys that one write creates. */
  createdAtOnce: 100,
  /** So many of them count as one request of their user. */
  createdOfRequest: 10,
} as const;

/**
 * What receivers cost, in deliveries: a message to one receiver is one for each started `bytes` of its payload. `atRead`: a
 * read of what a receiver has missed.
 */
export const deliveryCosts = { bytes: 8192, atRead: 5 } as const;

/** The users who get the event of a changed device are found by the rows of its swarms. */
export const eventLimits = {
  /** The number of such rows in one read, for all users. */
  rows: 1000,
  /** The number of such rows for the changes of one owner, in a beat of the streams. */
  ofOwner: 1000,
  /** What a changed swarm counts, in such rows. */
  rowsOfSwarm: 25,
  /** The number of positions of one resource in a second. */
  positions: 5,
  /** A new swarm with more members is sent as a `reset`. */
  members: 2000,
} as const;

/** What a stream resumes at most, instead of a `reset`. */
export const resumeLimits = {
  /** The number of events of its user. */
  events: 1000,
  bytes: 131_072,
  /** The number of entries of all users that are looked through for them. */
  entries: 10_000,
  /** The bytes of new events meanwhile. */
  heldBytes: 131_072,
} as const;

/** In ms. */
export const noticeMs = {
  /** Devices that fall silent within this time are one notice. */
  together: 60_000,
  /** One device causes at most two notices in this time, silent and back, and one swarm at most one. */
  pair: 600_000,
  /** Invitations within this time are one request to a webhook. */
  gather: 10_000,
  /** A notice that fails is tried again after this time. */
  retry: 60_000,
} as const;
