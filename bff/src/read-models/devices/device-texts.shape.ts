/** Devices of a list as JSON, made where they are read: a page of them may have a megabyte. */
import type { Device, LastValues, Member, MemberRole } from '../../contract.ts';
import {
  presenceOf,
  refusalsOf,
  type PhoneReport,
  type PresenceRow,
  type RefusalRow,
} from '../../core/store/presence-row.ts';
import { resourceOf, type RecordRow, type ResourceRow } from '../../core/store/resource-fields.ts';
import { defineShape } from '../../core/store/shape.ts';
import { gzipPart, noSums, type GzipPart, type Sums } from './gzip-parts.ts';

type DeviceRow = RecordRow &
  PresenceRow &
  RefusalRow &
  Pick<ResourceRow, 'ref' | 'changed_at'> & {
    phone: string | null;
    /** JSON: the swarms that the caller may know of. */
    swarms: string;
    /** Only of one device: the seconds within which it is expected, and as JSON the swarm that sets them. */
    expected_within?: number | null;
    expected_by?: string | null;
    resource_type?: MemberRole;
    member_since?: string;
    /** The end of the membership. */
    ends_at?: string | null;
    ends_at_most?: string | null;
    shown_by_links?: number;
  };

/** A part of a list. */
export interface DeviceTexts extends GzipPart {
  count: number;
  /** Before it was compressed. */
  made: number;
}

interface TextOptions {
  user: string;
  refs: readonly number[];
  /** Those that were asked for, by ref. */
  values: ReadonlyMap<number, LastValues>;
  /** What comes before and after the records, which have commas between them, and before the first one if there is one. */
  before: string;
  between: string;
  after: string;
  /** The sums of the compressed parts before this one. Undefined if the text is not compressed. */
  gzipAfter: Sums | undefined;
}

const utf8 = new TextEncoder();

/** In the order of the refs. */
export const deviceTexts = defineShape(
  new URL('./device-texts.shape.ts', import.meta.url),
  'deviceTexts',
  (rows: readonly DeviceRow[], { user, refs, values, gzipAfter, ...around }: TextOptions): DeviceTexts[] => {
    const byRef = new Map(rows.map((row) => [row.ref, row]));
    const shown = refs.flatMap((ref) => byRef.get(ref) ?? []);
    const records = JSON.stringify(shown.map((row) => deviceOf(row, user, values.get(row.ref)))).slice(1, -1);
    const bytes = utf8.encode(around.before + (records && around.between) + records + around.after);
    const part = gzipAfter ? gzipPart(bytes, gzipAfter) : { bytes, sums: noSums };
    return [{ count: shown.length, made: bytes.length, ...part }];
  },
);

/** Nothing if it is not read, or if the caller does not see the swarm that sets it. */
function expectedOf({ expected_every, expected_within, expected_by }: DeviceRow): Pick<Device, 'expected'> {
  if (!expected_within || (expected_every === null && !expected_by)) return {};
  const swarm = expected_by ? (JSON.parse(expected_by) as { id: string; name: string }) : undefined;
  return { expected: { every: expected_within, ...(swarm && { swarm }) } };
}

function deviceOf(row: DeviceRow, user: string, values: LastValues | undefined): Device | Member {
  const { changed_at, phone, swarms, resource_type, member_since, ends_at, ends_at_most, shown_by_links } = row;
  const isOwn = row.user_id === user;
  return {
    ...resourceOf(row),
    changed_at,
    presence: presenceOf(row),
    ...expectedOf(row),
    // Others were not told that they would see it.
    ...(isOwn && phone !== null && { phone: JSON.parse(phone) as PhoneReport }),
    ...(isOwn && (row.refused_at !== null || row.wrong_key_at !== null) && { refusals: refusalsOf(row) }),
    ...(values && Object.keys(values).length > 0 && { values }),
    swarms: JSON.parse(swarms) as Device['swarms'],
    ...(resource_type && member_since && { resource_type, member_since }),
    ...(ends_at && { ends_at }),
    ...(ends_at_most && { ends_at_most }),
    ...(isOwn && shown_by_links === 1 && { shown_by_links: true as const }),
  };
}
