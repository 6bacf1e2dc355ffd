/**
 * The rules of fields, and the limits that the browser also knows: without zod, because the service's schemas, the readers of files and
 * the browser share them. What only the server needs is in `part-limits.ts`. Imports only `first-rules.ts`.
 */
export * from './first-rules.ts';
/** What a key of an account may do: everything, only read, or only report positions and signs of life. */
export const keyScopes = ['all', 'read', 'position'] as const;
export type KeyScope = (typeof keyScopes)[number];
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
/** The limits of actions. Without another word, of one user. */
export const actionLimits = {
  /** The number of items in a part of an upload. */
  part: 500,
  /** The number of items up to which an action is listed with its items. */
  itemsShown: 500,
  /** The number of items of all listed actions. */
  itemsListed: 2000,
  /** The bytes of the listed items, and as many again of what the items of each listed action share. */
  bytesListed: 524_288,
  /** The number of actions that have not ended. */
  open: 20,
  /** The number of items of open actions. */
  items: 200_000,
  /** The bytes of the items of open and of ended actions. */
  bytes: 100_000_000,
  /** The bytes of the items with what they replace, which an undo needs. */
  bytesWithUndo: 200_000_000,
  /** The number of ended actions that are kept. */
  ended: 4000,
  /** In seconds: the longest time in which an action can be undone before it begins, which is its `wait`. */
  undoSeconds: 60,
  /** The number of items that one request removes. */
  removedAtOnce: 20,
} as const;
/** The interval in which a device is expected, in seconds: at least, at most, and of a device for which none is set. */
export const presenceLimits = { least: 60, most: 30 * 86_400, whenNotSet: 300 } as const;
/** The interval of a device that is never expected, whatever its swarms say. */
export const neverExpected = 0;
/**
 * The accuracy of reported positions, in metres: what one may have (`accuracy`), and beyond which (`coarse`) it does not replace a better
 * one of the last `goodForMs`. A report of more than `oldestYears` ago has a wrong time.
 */
export const positionLimits = { accuracy: 100_000_000, coarse: 1000, goodForMs: 3_600_000, oldestYears: 10 } as const;
/** The fields that say what is recorded of a device. Without one, what was recorded is deleted. */
export const recordedFields = ['keep_track', 'keep_values'] as const;
/** In ms. Entries of the activity that a bulk action has written are at most this far apart. */
export const bulkGapMs = 120_000;
/** The actors in the activity log of an operator's command, and of what no user did. They cannot be names of users. */
export const operatorActor = '(operator)';
export const serverActor = '(server)';
/** A watcher sees what the members of the swarm see, and changes nothing. */
export const managerRoles = ['manager', 'watcher'] as const;
export type ManagerRole = (typeof managerRoles)[number];
/** What a user can be in a swarm by name, the lowest first. */
export const audienceRoles = ['watcher', 'manager', 'owner'] as const;
/** Who can ask to join a swarm: nobody, users who have its link, or all users, who can find it in the directory. */
export const reaches = ['private', 'open', 'listed'] as const;
/** The limits of messages. */
export const messageLimits = {
  /** The bytes of a payload as JSON. */
  payloadBytes: 16_384,
  /** The characters of an id that a client gives. */
  idLength: 64,
  /** The number of messages that are kept of a swarm. */
  kept: 10_000,
  /** The bytes of these messages. */
  keptBytes: 32 * 1024 * 1024,
  /** In hours: how long they are kept. */
  keptHours: 24,
  /** The swarms of a user share so many bytes for each swarm of the quota. */
  sharedBytes: 1024 * 1024,
  /** The number of messages of a swarm with the last ones of its members, which have `keptBytes` again. */
  keptOfMembers: 200_000,
  /** The bytes of a row beside its payload, with its entries in the indexes. */
  rowBytes: 512,
  /** The number of messages in a page. */
  page: 200,
  /** The number of messages that one request looks at for a search. Its client continues with the next page. */
  searched: 5000,
  /** The number of messages in one read of a search, in which a word takes 6 ms if all have 16 KiB. */
  window: 100,
  /** The number of messages in a part of a file. */
  fileWindow: 50,
  /** The number of open streams, waiting requests and connections of a device. */
  streamsOfDevice: 4,
  /** The number of open streams, waiting requests and connections of a user's devices. */
  streamsOfUser: 10_000,
  /**
   * The number of a user's connections by MQTT to one process. Less than half of what a process takes (`mqttLimits`): two users leave places
   * for others.
   */
  connectionsOfUser: 5000,
  /** The number of keys of a device. */
  keysOfDevice: 10,
} as const;
/** The user property of a message that a user has sent in the app, not its device: the name of the user. */
export const sentByUser = 'sent-by-user';
const decimal = /^-?(?:(?:0|[1-9]\d{0,12})(?:\.\d{1,20})?|\.\d{1,20})$/;
/**
 * What a device has sent, where a number is expected: many programs send it as a text. Other texts stay as they are, also codes that look like a
 * number: they begin with a zero, or are longer than a time in ms, as the number of a phone's hardware is.
 */
export const sentNumber = (value: unknown): unknown =>
  // Adding 0 converts -0 to 0.
  typeof value === 'string' && decimal.test(value) ? Number(value) + 0 : value;
/** What the string of a payload stands for that is not JSON by itself. */
export const messageEncodings = ['text', 'base64'] as const;
/** Bytes as text, with the padding. */
export const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
/** The time of a kept value: that of its message, or the `time` in the message's payload. */
export const keptValues = ['sent_at', 'time'] as const;

/** A user name, in lower case. `userNameInWords` says the same. */
export const userNameRule = /^[a-z0-9_-]{3,32}$/;
export const userNameInWords = '3 to 32 characters: a-z, 0-9, _ and -';

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
