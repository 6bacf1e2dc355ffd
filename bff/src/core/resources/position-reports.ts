/**
 * Whether a reported position replaces the stored one. The rule is here twice: `verdictOf` says what a request does, and
 * `stillReplaces` is the same as a condition of its write, so that of two processes only the newer report wins.
 */
import { positionLimits } from '../limits/field-rules.ts';
import type { Resource } from '../../contract.ts';
import type { Fix } from '../store/resource-fields.ts';
import { allOf, raw, sql, type Sql } from '../store/statement.ts';

/** A position with its time or its accuracy. Without both, it is an edit, which always replaces. */
export interface PositionReport {
  fix: Fix;
  /** Undefined: now, which is never older. */
  at: string | undefined;
  /** The stored position is good until it is older than this. */
  goodSince: string;
}

/**
 * Undefined for an edit. A time in the future is now, and so is one of a device that cannot be true: its receiver counts weeks from the wrong
 * one, or it has no clock.
 */
export function reportOf(sent: Fix | null | undefined, now: Date, isOfDevice = false): PositionReport | undefined {
  if (!sent || (sent.positioned_at === undefined && sent.accuracy === undefined)) return undefined;
  const { positioned_at: reported = '' } = sent;
  const oldest = new Date(now);
  oldest.setUTCFullYear(now.getUTCFullYear() - positionLimits.oldestYears);
  const isWrong = isOfDevice && reported !== '' && reported < oldest.toISOString();
  const fix = isWrong ? { ...sent, positioned_at: now.toISOString() } : sent;
  const isPast = !isWrong && reported !== '' && reported < now.toISOString();
  const at = isPast ? reported : undefined;
  return {
    fix: notAfter(fix, now.toISOString()),
    at,
    goodSince: new Date((isPast ? Date.parse(reported) : now.getTime()) - positionLimits.goodForMs).toISOString(),
  };
}

/** What is said about a position is not from the future. */
export const notAfter = (fix: Fix, now: string): Fix =>
  (fix.positioned_at ?? '') > now ? { ...fix, positioned_at: now } : fix;

const isCoarse = ({ accuracy = 0 }: Fix) => accuracy > positionLimits.coarse;

/** `past`: it may be a point of the track. `ignored`: it is older, or from the last hour, and too inaccurate. */
export function verdictOf(
  report: PositionReport,
  stored: { record: Resource; locatedAt: string },
): 'replaces' | 'past' | 'ignored' {
  const { fix, at, goodSince } = report;
  const { record, locatedAt } = stored;
  if (at !== undefined && at < locatedAt) return isCoarse(fix) ? 'ignored' : 'past';
  const isGood = record.position && locatedAt > goodSince && (record.accuracy ?? 0) < fix.accuracy!;
  return isCoarse(fix) && isGood ? 'ignored' : 'replaces';
}

/** Tells the owner of a device why its position is not used. */
export const tooInaccurate = ({ fix: { accuracy = 0 } }: PositionReport, operation: string) => ({
  code: 'report.inaccurate',
  detail: `${Math.round(accuracy)} m`,
  operation,
});

/**
 * SQL: the time of the stored position, or since when there is none: older reports do not bring back what an edit has removed. Of a
 * position from before its time was stored, that of the last change. Empty: there was never one.
 */
export const locatedAt = `coalesce(located_at, CASE WHEN longitude IS NOT NULL THEN changed_at ELSE '' END)`;
const storedTime = raw(locatedAt);

export function stillReplaces({ fix, at, goodSince }: PositionReport): Sql {
  const conditions = [
    ...(at === undefined ? [] : [sql`${storedTime} <= ${at}`]),
    ...(isCoarse(fix)
      ? [sql`longitude IS NULL OR ${storedTime} <= ${goodSince} OR coalesce(accuracy, 0) >= ${fix.accuracy!}`]
      : []),
  ];
  return allOf(conditions);
}
