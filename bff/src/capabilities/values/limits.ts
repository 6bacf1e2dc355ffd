const MiB = 1024 * 1024;

/** The values that are recorded of a device, and of a user. */
export const valueLimits = {
  /** The number of its numbers, and of its booleans and texts. */
  numbers: 32,
  states: 8,
  /** A new one takes the place of one that was not sent for so many hours. */
  replacedAfterHours: 24,
  /** After so many messages it is known how often a state changes. One that does it more rarely than in each so many is worth more. */
  knownAfter: 4,
  /** The keys without a place that are known, of numbers and of states. */
  leftOut: 16,
  /** The keys that the owner may choose. */
  chosenKeys: 40,
  /** The values of a payload that are looked at, the characters of a key, and those of a text that are kept. */
  ofPayload: 64,
  keyLength: 100,
  textLength: 64,
  /** Sets of swarms to which the messages of a device went: all sets of six. What went to more of them in so many hours, only its owner sees. */
  audiences: 64,
  /** In bytes, of a device: its last values, and these sets. */
  lastBytes: 8 * 1024,
  audienceBytes: 10 * 1024,
  /** Points are kept for so many hours, */
  pointHours: 24,
  /** and so many of them; then steps of five minutes, for so many days; */
  points: 5000,
  stepDays: 7,
  /** then hourly steps, for so many days. */
  hourDays: 365,
  /** The steps of a device, of all its values: all hourly and five-minute steps of 32 numbers are 350,000. The oldest go. */
  steps: 400_000,
  /** A block of steps counts as so many at least. */
  stepsOfBlock: 100,
  /** The steps that follow each other in a block: six hours of five minutes, three days of hours. */
  stepsInRow: 72,
  /** The changes of a state in an hour that are kept with steps. */
  changesOfHour: 20,
  /** The bytes that each device of the quota adds to what a user has. Beyond it, the user's oldest values go. */
  bytesOfDevice: 20 * 1024,
  /** From this part of it on, the user is told. */
  fullFrom: 0.95,
  /** The series of an answer, the points of each, the keys and the devices that are asked for; and the lines of a part of a file. */
  seriesOfAnswer: 40,
  pointsOfSeries: 1000,
  keysAsked: 8,
  devicesAsked: 8,
  linesAtOnce: 1500,
  /** The steps that are unpacked in one read, if they can be divided: some 3 ms of the reader, as of other lists. */
  stepsAtOnce: 8000,
  /** The newest messages of a device that are read, one for each swarm, and their bytes. */
  messages: 2000,
  /** The newest messages of a device that are read if only the last values are asked for. */
  lastMessages: 100,
  messageBytes: 4 * MiB,
} as const;

/** What the job does that records values. */
export const valueJob = {
  /** In ms: the last values in lists and maps are at most so old. It is also run when messages are about to be deleted. */
  everyMs: 10_000,
  /** The rows of messages of one read, whose values are one commit. */
  window: 1000,
  /** The bytes of these messages, but for the first of them. */
  windowBytes: 512 * 1024,
  /** The devices in a turn of a round of compaction, of as many users as have one, and the number of such turns. */
  devices: 20,
  chunks: 100,
  /** The users of one read that looks for those who have something to summarise. */
  users: 500,
  /** The values and steps that one read of a device unpacks to summarise them, if they can be divided. A block counts as a hundred more. */
  stepsAtOnce: 4000,
  /** The messages of a block of points. */
  pointsOfBlock: 100,
  /** In ms: between two rounds of compaction. */
  compactEveryMs: 600_000,
  /** The characters of the newest points of a device, which are then compressed. */
  openLength: 3000,
  /** Points are summarised so many hours later, so that many of them are one write; steps so many days later. */
  lateHours: 6,
  lateDays: 1,
} as const;
