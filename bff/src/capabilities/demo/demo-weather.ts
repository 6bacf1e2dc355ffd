/** What the stations of the demo measure at a time: made up, but with days, tides and fronts as real weather has them. */
import type { MachineType } from '../../contract.ts';
import { dayMs, hourMs, minuteMs } from '../../core/limits/durations.ts';

/** Between two high tides. */
const tide = 12.42 * hourMs;

interface Station {
  id: string;
  machine_type: MachineType;
}

/** From -1 to 1. Each station is a little before or behind the others. */
const wave = ({ id }: Station, at: number, length: number) =>
  Math.sin((2 * Math.PI * at) / length + Number.parseInt(id.slice(-4), 16) / 40_000);

/** From -1 to 1, and the same for the same station and time. */
function noise({ id }: Station, at: number): number {
  const seed = Math.sin(Math.floor(at / minuteMs) * 12.9898 + Number.parseInt(id.slice(-4), 16)) * 43_758.5453;
  return 2 * (seed - Math.floor(seed)) - 1;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** A front passes every few days: from 0, calm and dry, to 1. */
const frontOf = (station: Station, at: number) =>
  Math.max(0, (wave(station, at, 3.7 * dayMs) + wave(station, at, 5.3 * dayMs)) / 2);

export function measuredAt(station: Station, at: number): Record<string, unknown> {
  const { machine_type } = station;
  const front = frontOf(station, at);
  if (machine_type === 'pc') {
    const level_cm = Math.round(300 + 110 * wave(station, at, tide) + 60 * front + 2 * noise(station, at));
    return { level_cm, pump: level_cm > 380 };
  }
  const temperature = round(11 + 5 * wave(station, at - 9 * hourMs, dayMs) - 4 * front + 0.4 * noise(station, at));
  if (machine_type === 'smartphone') {
    // Charged once a day, which takes two hours.
    const sinceCharged = (((at / dayMs) % 1) + 1) % 1;
    const battery = sinceCharged < 1 / 12 ? 40 + 720 * sinceCharged : 100 - 65.5 * (sinceCharged - 1 / 12);
    return { temperature, battery: Math.round(battery) };
  }
  const speed = round(Math.max(0, 4 + 11 * front + 1.5 * wave(station, at, 0.4 * dayMs) + noise(station, at)));
  const direction = Math.round(360 + 230 + 90 * wave(station, at, 3.7 * dayMs) + 8 * noise(station, at)) % 360;
  const sky = front > 0.55 ? 'rain' : front > 0.2 ? 'cloudy' : 'clear';
  return { temperature, wind: { speed, direction }, sky };
}

/** Stations have measured for so long. */
export const pastMs = 30 * dayMs;
/** Older values are kept as steps of an hour, for which two points are enough. */
const isFine = (ago: number) => ago <= 7 * dayMs;

/** What a station has measured until now: each ten minutes, and half-hourly before. `hasGap`: for a day and a half it was silent. */
export function pastOf(station: Station, { now, hasGap }: { now: number; hasGap: boolean }) {
  const points: { at: number; payload: object }[] = [];
  const halfHour = hourMs / 2;
  for (
    let at = Math.ceil((now - pastMs) / halfHour) * halfHour;
    at < now;
    at += isFine(now - at) ? hourMs / 6 : halfHour
  ) {
    const ago = now - at;
    if (!hasGap || ago < 9 * dayMs || ago > 10.5 * dayMs) points.push({ at, payload: measuredAt(station, at) });
  }
  return points;
}
