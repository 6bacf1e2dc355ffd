/** What is read of a report of the app OwnTracks: everything else is ignored, whatever it is. */
import type { Position } from '../../contract.ts';
import { limits, positionLimits, sentNumber, unprintable } from '../../core/limits/field-rules.ts';
import type { PhoneReport } from '../../core/store/presence-row.ts';

type Report = Readonly<Record<string, unknown>>;

function numberOf(sent: unknown, least: number, most: number): number | undefined {
  const value = sentNumber(sent);
  return typeof value === 'number' && value >= least && value <= most ? value : undefined;
}

/** The latest time that a `Date` can have, in seconds. */
const lastSecond = 8.64e12;

/** A position with its time and its accuracy. The coordinates are valid. */
export function positionIn({ lat, lon, tst, acc }: Report) {
  const seconds = numberOf(tst, 0, lastSecond);
  const accuracy = numberOf(acc, 0, positionLimits.accuracy);
  return {
    position: { longitude: sentNumber(lon), latitude: sentNumber(lat) } as Position,
    ...(seconds !== undefined && { positioned_at: new Date(seconds * 1000).toISOString() }),
    ...(accuracy !== undefined && { accuracy }),
  };
}

/** What the app says about its phone. */
export function phoneIn({ batt, vel }: Report): PhoneReport | undefined {
  const battery = numberOf(batt, 0, 100);
  const speed = numberOf(vel, 0, 2000);
  if (battery === undefined && speed === undefined) return undefined;
  return {
    ...(battery !== undefined && { battery: Math.round(battery) }),
    ...(speed !== undefined && { speed: Math.round(speed) }),
  };
}

/** The fields of each type that becomes a message of the device. */
const fieldsOfMessage: Record<string, readonly string[]> = {
  transition: ['event', 'desc', 'lat', 'lon', 'acc', 'tst', 'wtst', 't', 'tid', 'rid'],
  waypoint: ['desc', 'lat', 'lon', 'rad', 'tst', 'rid'],
};

/** The payload of a message; undefined if the report is none. */
export function messageIn(report: Report): Record<string, string | number> | undefined {
  const type = String(report['_type']);
  const names = Object.hasOwn(fieldsOfMessage, type) ? fieldsOfMessage[type]! : [];
  if (names.length === 0) return undefined;
  const payload: Record<string, string | number> = { _type: type };
  for (const name of names) {
    const value = report[name];
    if (typeof value === 'string') payload[name] = readable(value);
    if (typeof value === 'number') payload[name] = value;
  }
  return payload;
}

const allUnprintable = new RegExp(unprintable.source, 'gv');
/** A text that a message may have. */
const readable = (text: string) => text.slice(0, limits.textLength).toWellFormed().replaceAll(allUnprintable, '');
