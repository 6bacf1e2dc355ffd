/**
 * The devices of one viewed audience, as columns of numbers. Each device has a slot. The slot of a removed device is
 * reused, so nothing may hold a slot while it waits: what leaves the thread's turn is refs.
 */
import type { MachineType, MemberRole, PresenceState } from '../../contract.ts';
import { machineTypes, memberRoles, presenceStates } from '../../core/limits/field-rules.ts';
import { columnOf, rowOf } from '../map/mercator.ts';

/** A device as the table stores it. */
export interface TableDevice {
  /** From 1 to 2^32 - 1. It is never reused. */
  ref: number;
  machine_type: MachineType;
  /** If the audience is a swarm. */
  resource_type: MemberRole | null;
  presence: PresenceState;
  /** Something was refused of it, which the caller sees. */
  isRefused?: boolean;
  /** The ids of all its swarms, separated by commas. Which of them a caller may know is read with each query. */
  swarms: string;
  /** Both are null without a position. */
  longitude: number | null;
  latitude: number | null;
  /** Times in ms. */
  changedAt: number;
  createdAt: number;
  /** If the audience is a swarm, else 0. */
  memberSince: number;
  /** 0 if it was never heard. */
  heardAt: number;
}

/**
 * An existing combination of all properties that filters test, except texts and positions. A filter is evaluated once for
 * each profile, and counts are sums over profiles.
 */
export interface Profile {
  machine_type: MachineType;
  resource_type: MemberRole | null;
  presence: PresenceState;
  swarms: readonly string[];
  isPlaced: boolean;
  isRefused: boolean;
  /** The combination of role, presence and machine type, from 0 to the table's `kinds` - 1. */
  kind: number;
  /** The number of devices. */
  count: number;
  key: string;
  /** About how much memory it takes. */
  bytes: number;
}

/** The combinations of role, presence and machine type. Those without a role have the numbers of the first role. */
const kindsOfRole = machineTypes.length * presenceStates.length;
export const kinds = kindsOfRole * memberRoles.length;
export const typeOfKind = (kind: number): MachineType => machineTypes[kind % machineTypes.length]!;
export const presenceOfKind = (kind: number): PresenceState =>
  presenceStates[Math.floor((kind % kindsOfRole) / machineTypes.length)]!;
export const roleOfKind = (kind: number): MemberRole => memberRoles[Math.floor(kind / kindsOfRole)]!;

export type DeviceTable = ReturnType<typeof createDeviceTable>;
type TypedArray = Uint8Array | Uint32Array | Float64Array;
export type DeviceColumns = ReturnType<typeof emptyColumns>;

const leastSlots = 64;
const growth = 1.5;
/** In bytes, about. A profile has the ids of its swarms in its key and in a list. */
const perProfile = 200;
const perSwarm = 60;
/** The bytes of an entry of a `Map` of numbers. */
const perRef = 40;

/** `hasRoles`: whether the audience is a swarm. */
export function createDeviceTable({ hasRoles = true }: { hasRoles?: boolean } = {}) {
  /** By the ref of the device. */
  const slots = new Map<number, number>();
  let columns = emptyColumns(leastSlots);
  /** The slots from 0 to here are used or free. */
  let end = 0;
  const freeSlots: number[] = [];
  /** By number; undefined if it is free. */
  const profiles: (Profile | undefined)[] = [];
  const freeProfiles: number[] = [];
  const numbers = new Map<string, number>();
  let profileBytes = 0;

  function profileOf(device: TableDevice): number {
    const { machine_type, resource_type, presence, isRefused = false, swarms } = device;
    const isPlaced = device.longitude !== null;
    const key = `${machine_type} ${resource_type} ${presence} ${isPlaced} ${isRefused} ${swarms}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = freeProfiles.pop() ?? profiles.length;
      const role = resource_type === null ? 0 : memberRoles.indexOf(resource_type);
      const state = presenceStates.indexOf(presence) * machineTypes.length;
      const kind = role * kindsOfRole + state + machineTypes.indexOf(machine_type);
      const ids = swarms === '' ? [] : swarms.split(',');
      const bytes = perProfile + key.length + perSwarm * ids.length;
      profiles[number] = {
        machine_type,
        resource_type,
        presence,
        swarms: ids,
        isPlaced,
        isRefused,
        kind,
        count: 0,
        key,
        bytes,
      };
      profileBytes += bytes;
      numbers.set(key, number);
    }
    return number;
  }

  function leaveProfile(slot: number) {
    const number = columns.profile[slot]!;
    const profile = profiles[number]!;
    profile.count -= 1;
    if (profile.count > 0) return;
    profiles[number] = undefined;
    profileBytes -= profile.bytes;
    freeProfiles.push(number);
    if (numbers.get(profile.key) === number) numbers.delete(profile.key);
  }

  function newSlot(): number {
    const slot = freeSlots.pop() ?? end++;
    if (slot === columns.ref.length) columns = grown(columns, emptyColumns(Math.ceil(slot * growth)));
    return slot;
  }

  return {
    /** The number of devices. */
    get size(): number {
      return slots.size;
    },
    /** All slots are below it. */
    get end(): number {
      return end;
    },
    /** By slot. Replaced when the table grows. `ref` is 0 in a free slot. */
    get columns(): DeviceColumns {
      return columns;
    },
    /** The number of kinds that its devices can have. */
    kinds: hasRoles ? kinds : kindsOfRole,
    /** By the numbers in the column `profile`. */
    profiles: profiles as readonly (Profile | undefined)[],
    get bytes(): number {
      const perSlot = Object.values(columns).reduce((sum, { BYTES_PER_ELEMENT }) => sum + BYTES_PER_ELEMENT, 0);
      return columns.ref.length * perSlot + slots.size * perRef + profileBytes;
    },
    slotOf: (ref: number): number | undefined => slots.get(ref),

    /** Adds or updates the device with this ref. Returns its slot. */
    put(device: TableDevice): number {
      const number = profileOf(device);
      profiles[number]!.count += 1;
      let slot = slots.get(device.ref);
      if (slot !== undefined) leaveProfile(slot);
      else {
        slot = newSlot();
        slots.set(device.ref, slot);
      }
      const { longitude, latitude } = device;
      const isPlaced = longitude !== null && latitude !== null;
      columns.ref[slot] = device.ref;
      columns.profile[slot] = number;
      columns.x[slot] = isPlaced ? columnOf(longitude) : 0;
      columns.y[slot] = isPlaced ? rowOf(latitude) : 0;
      columns.longitude[slot] = longitude ?? Number.NaN;
      columns.latitude[slot] = latitude ?? Number.NaN;
      columns.changedAt[slot] = device.changedAt;
      columns.createdAt[slot] = device.createdAt;
      columns.memberSince[slot] = device.memberSince;
      columns.heardAt[slot] = device.heardAt;
      return slot;
    },
    /** Returns the slot that is now free; undefined if there was no such device. */
    remove(ref: number): number | undefined {
      const slot = slots.get(ref);
      if (slot === undefined) return undefined;
      leaveProfile(slot);
      slots.delete(ref);
      columns.ref[slot] = 0;
      freeSlots.push(slot);
      return slot;
    },
    /** The refs of the devices of this swarm. */
    refsIn(id: string): number[] {
      const numbers = new Set(profiles.flatMap((profile, number) => (profile?.swarms.includes(id) ? number : [])));
      if (numbers.size === 0) return [];
      const refs: number[] = [];
      for (let slot = 0; slot < end; slot++)
        if (columns.ref[slot] !== 0 && numbers.has(columns.profile[slot]!)) refs.push(columns.ref[slot]!);
      return refs;
    },
    /** Removes a destroyed swarm from all profiles: its members have no entries of their own in the feed. */
    removeSwarm(id: string): void {
      for (const profile of profiles) {
        if (!profile?.swarms.includes(id)) continue;
        profile.swarms = profile.swarms.filter((swarm) => swarm !== id);
        numbers.delete(profile.key);
      }
    },
  };
}

function emptyColumns(capacity: number) {
  return {
    ref: new Uint32Array(capacity),
    /** The number of its profile. */
    profile: new Uint32Array(capacity),
    /** Column and row of the finest grid (mercator.ts); 0 without a position. */
    x: new Uint32Array(capacity),
    y: new Uint32Array(capacity),
    /** Exact; NaN without a position. */
    longitude: new Float64Array(capacity),
    latitude: new Float64Array(capacity),
    /** Times in ms. */
    changedAt: new Float64Array(capacity),
    createdAt: new Float64Array(capacity),
    memberSince: new Float64Array(capacity),
    heardAt: new Float64Array(capacity),
  };
}

/** Copies the rows of a table into these columns, which have room for more. */
function grown<T extends Record<string, TypedArray>>(old: T, columns: T): T {
  for (const [name, column] of Object.entries(columns)) column.set(old[name]!);
  return columns;
}
