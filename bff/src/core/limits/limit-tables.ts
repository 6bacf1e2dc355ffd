/**
 * What a user, a device or an address may do in a time (`rateTable`), at the same time (`slotTable` and `queueTable`), and store
 * (`quotaTable`). Each limit has one row. `createLimits` makes what counts them; app.ts and service.ts hand it by its name to the
 * part that uses it.
 *
 * limits-page.ts prints them for operators. What one request may send is in operation-limits.ts. The sizes of records are in
 * field-rules.ts, the limits of one part of the server in part-limits.ts.
 */
import { withCapabilities } from '../collect.ts';
import { createBudget } from './budget.ts';
import { mostArrivingBytes } from './operation-limits.ts';
import { deliveryCosts } from './part-limits.ts';
import type { LimitRow, QuotaRow, RateRow } from './limit-rows.ts';
import { createSlots } from './slots.ts';
import { createRate } from './rate.ts';

const MiB = 1024 * 1024;

/** What may be done in a time. `RATE_LIMIT` multiplies `most` and `burst`. */
export const rateTable = withCapabilities('rates', {
  service: {
    who: 'user',
    what: 'requests to the service; each 64 KiB more of a body are one',
    most: 500,
    per: 'second',
    burst: 2000,
  },
  // About ten walls with their maps.
  screens: {
    who: 'user',
    what: 'requests of the app to its own endpoints; each 64 KiB more of a body, and ten more keys of devices, are one',
    most: 100,
    per: 'second',
    burst: 400,
  },
  device: {
    who: 'device',
    what: 'requests with its keys, and its messages; each 64 KiB more of a body are one',
    most: 20,
    per: 'second',
    burst: 100,
  },
  devices_of_user: {
    who: 'user',
    what: 'requests with the keys of all devices; each 64 KiB more of a body are one',
    most: 2000,
    per: 'second',
    burst: 8000,
  },
  takeovers: {
    who: 'device',
    what: 'streams, and connections by MQTT, that end an older one of the device',
    most: 20,
    per: 'minute',
    burst: 20,
  },
  // A delivery takes 10 µs: this is a fifth of a core.
  deliveries: {
    who: 'user',
    what: `messages to the user’s receivers, one for each started ${deliveryCosts.bytes / 1024} KiB; what is beyond waits`,
    most: 20_000,
    per: 'second',
    burst: 40_000,
  },
  // 240 KiB of messages take 1.5 ms of the reader thread, of devices 3, of compressed devices 6, and 2 ms of the main thread to be sent. So
  // this is at most two fifths of a core.
  reading: {
    who: 'user',
    what: 'bytes of lists, files and pages that are made for the user; what is beyond waits',
    most: 16 * MiB,
    per: 'second',
    burst: 64 * MiB,
    isInBytes: true,
  },
  guest_reading: {
    who: 'user',
    what: 'bytes of devices that are read for guests of the user’s links, and that new guests are sent; what is beyond waits',
    most: 16 * MiB,
    per: 'second',
    burst: 64 * MiB,
    isInBytes: true,
  },
  anonymous: {
    who: 'address',
    what: 'responses outside of `/api` and `/service`, such as files of the app, and those without a right key or session; no event streams; what is beyond arrives later',
    most: 500,
    per: 'second',
    burst: 2000,
  },
  invalid_keys: {
    who: 'address',
    what: 'wrong keys that get 401, and not 429',
    most: 1,
    per: 'second',
    burst: 30,
  },
  sign_in: {
    who: 'address',
    what: 'attempts of each kind: sign in, sign up, passkey, code, link, lost password, …; and of a user, to confirm their identity',
    most: 10,
    per: 'minute',
    burst: 10,
  },
  single_sign_on: {
    who: 'address',
    what: 'visits to a provider (sign in, link, confirm); the returns, and the openings of the sign-in page, are counted apart',
    most: 60,
    per: 'minute',
    burst: 60,
  },
  sign_in_of_name: {
    who: 'user name',
    what: 'attempts to sign in, from all addresses',
    most: 1,
    per: 'second',
    burst: 30,
  },
  free_sign_in: {
    who: 'user name and address',
    what: 'attempts that do not count for the name',
    most: 3,
    per: 'day',
    burst: 3,
  },
} as const satisfies Record<string, RateRow>);

/**
 * Requests that are being answered at the same time. `RATE_LIMIT` multiplies them. Streams and waiting requests are counted elsewhere
 * (`quotas.streams`, `messageLimits`). A device has as many publications by MQTT at most as its connections allow.
 */
export const slotTable = {
  service: { who: 'user', what: 'requests to the service', most: 200 },
  screens: { who: 'user', what: 'requests of the app to its own endpoints', most: 200 },
  device: { who: 'device', what: 'requests with its keys', most: 100 },
  devices_of_user: { who: 'user', what: 'requests with the keys of all devices', most: 4000 },
} as const satisfies Record<string, LimitRow>;

/** Requests that wait for their turn in a fair queue. No setting changes them. */
export const queueTable = withCapabilities('queues', {
  reads: { who: 'user', what: 'long reads that wait for the reader thread', most: 1000 },
  index: { who: 'user', what: 'requests that wait for the index of viewed devices', most: 1000 },
  device_keys: { who: 'user', what: 'requests that wait to create keys of devices', most: 4 },
  passwords: { who: 'address or user', what: 'passwords that wait to be hashed (IPv6: of a /48 network)', most: 20 },
  all_passwords: { who: 'process', what: 'the same of all', most: 2000 },
} as const satisfies Record<string, LimitRow>);

/** What may be stored, and the open streams. `QUOTAS` multiplies them. */
export const quotaTable = withCapabilities('quotas', {
  resources: {
    who: 'user',
    what: 'devices',
    most: 100_000,
    problem: ['resource.too_many', 'An account can have up to {allowed} resources. Delete some first.'],
  },
  swarms: {
    who: 'user',
    what: 'swarms',
    most: 1000,
    problem: ['swarm.too_many', 'An account can have up to {allowed} swarms. Delete some first.'],
  },
  members: {
    who: 'swarm',
    what: 'members',
    most: 100_000,
    problem: ['membership.too_many', 'A swarm can have up to {allowed} members.'],
  },
  // Each change of a device, and each of its messages, costs as much as it is in swarms.
  swarms_of_device: {
    who: 'device',
    what: 'swarms; a device that was in more stays in them',
    most: 100,
    problem: ['membership.too_many_swarms', 'A resource can be in up to {allowed} swarms. Remove it from some first.'],
  },
  invitations: {
    who: 'user',
    what: 'open invitations that the user has sent',
    most: 10_000,
    problem: ['invitation.too_many', 'An account can have up to {allowed} open invitations. Withdraw some first.'],
  },
  keys: {
    who: 'user',
    what: 'API keys',
    most: 100,
    problem: ['key.too_many', 'An account can have up to {allowed} API keys. Revoke some first.'],
  },
  device_keys: {
    who: 'user',
    what: 'keys of devices',
    most: 10_000,
    problem: ['key.too_many', 'The devices of an account can have up to {allowed} API keys. Revoke some first.'],
  },
  streams: {
    who: 'user',
    what: 'open event streams',
    most: 50,
    problem: ['events.too_many', 'An account can have up to {allowed} open event streams. Close some first.'],
  },
} as const satisfies Record<string, QuotaRow>);

export type Limits = ReturnType<typeof createLimits>;

export type Rates = Limits['rates'];
export type SlotsByName = Limits['slots'];

/** `factor`: that of RATE_LIMIT; Infinity for none. */
export function createLimits({ factor, now }: { factor: number; now: () => Date }) {
  const scaled = ({ most, per, burst }: RateRow) => ({
    perSecond: (most * factor) / secondsOf[per],
    burst: burst * factor,
  });
  const { deliveries, reading, guest_reading: guestReading, ...rates } = rateTable;
  return {
    rates: mapRows(rates, (row) => createRate({ ...scaled(row), now })),
    /** What is delivered to the receivers of each user. */
    deliveries: createBudget(scaled(deliveries)),
    /** The bytes that are made for each user. */
    reading: createBudget(scaled(reading)),
    /** The bytes that are made for guests, by the owner of their link. */
    guestReading: createBudget(scaled(guestReading)),
    slots: mapRows(slotTable, ({ most }) => createSlots(Math.max(1, Math.floor(most * factor)))),
    /** The bytes of bodies that have not arrived completely, by user or address. */
    arriving: createSlots(mostArrivingBytes, 'Too many request bodies have not arrived completely. Send fewer at once'),
  };
}

const secondsOf = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** Returns an object with the same names, and what `make` returns for each row. */
export function mapRows<Name extends string, Of, To>(table: Readonly<Record<Name, Of>>, make: (row: Of) => To) {
  return Object.fromEntries((Object.entries(table) as [Name, Of][]).map(([name, row]) => [name, make(row)])) as Record<
    Name,
    To
  >;
}

/** Returns a number as texts have it: `2,000`. */
export const inDigits = (amount: number): string => amount.toLocaleString('en');

/** Returns a rate as texts have it: `20 messages a second, with bursts of 100`. */
export function rateInWords({ most, per, burst }: RateRow, noun: string): string {
  const bursts = burst > most ? `, with bursts of ${inDigits(burst)}` : '';
  return `${inDigits(most)} ${noun} ${per === 'hour' ? 'an' : 'a'} ${per}${bursts}`;
}
