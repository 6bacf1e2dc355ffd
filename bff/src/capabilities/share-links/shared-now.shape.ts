/** What links show, made where it is read: the devices of a swarm are many. */
import type { SharedDevice } from '../../contract.ts';
import { defineShape } from '../../core/store/shape.ts';

/** A device that links show. */
interface ShownDevice {
  id: string;
  /** `SharedDevice` as JSON without its beginning, `{"key":…,`: each link has its own keys. */
  text: string;
  /** The end of its membership, if it has one. */
  endsAt: string | null;
}

/** The one result. */
export interface SharedNow {
  /** The ends of links that are open. */
  ends: { id: string; expires_at: string }[];
  devices: ShownDevice[];
  /** In bytes. */
  made: number;
}

interface SharedRow extends Pick<SharedDevice, 'name' | 'machine_type' | 'accuracy'> {
  /** Of a device. */
  id: string;
  longitude: number | null;
  latitude: number | null;
  at: string;
  ends_at: string | null;
  /** Instead of a device. */
  link: string | null;
  expires_at: string | null;
}

export const sharedNow = defineShape(
  new URL('./shared-now.shape.ts', import.meta.url),
  'sharedNow',
  (rows: readonly SharedRow[], _options: null): SharedNow[] => {
    const ends = rows.flatMap(({ link, expires_at }) => (link === null ? [] : [{ id: link, expires_at: expires_at! }]));
    const devices = rows.flatMap((row) => (row.link === null ? [shownIn(row)] : []));
    return [{ ends, devices, made: devices.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) }];
  },
);

function shownIn({ id, name, machine_type, longitude, latitude, accuracy, at, ends_at }: SharedRow): ShownDevice {
  const position = longitude === null || latitude === null ? null : { longitude, latitude };
  const device: Omit<SharedDevice, 'key'> = {
    name,
    machine_type,
    position,
    accuracy,
    located_at: at === '' ? null : at,
  };
  return { id, text: JSON.stringify(device).slice(1), endsAt: ends_at };
}
