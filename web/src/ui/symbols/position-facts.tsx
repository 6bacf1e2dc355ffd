import { Fragment, type ReactNode } from 'react';
import { formatNumber, t } from '../../text/text.ts';
import { formatAccuracy } from './accuracy.ts';
import { Rich } from '../texts/rich.tsx';
import { Time } from '../texts/time.tsx';

export interface Reported {
  positioned_at?: string | undefined;
  /** In metres. */
  accuracy?: number | undefined;
  /** Percent and km/h. */
  phone?: { battery?: number; speed?: number } | undefined;
}

/** What a device has reported with its position: `± 40 m · position 3 min ago · battery 81 %`. Lazily loaded. */
export function PositionFacts({ positioned_at, accuracy, phone }: Reported) {
  const words = t.device.reported;
  const facts: [string, ReactNode][] = [];
  if (accuracy !== undefined) facts.push(['accuracy', words.accuracy(formatAccuracy(accuracy))]);
  if (positioned_at !== undefined)
    facts.push(['time', <Rich key="time" text={words.time} age={<Time at={positioned_at} />} />]);
  if (phone?.battery !== undefined) facts.push(['battery', words.battery(formatNumber(phone.battery))]);
  if (phone?.speed) facts.push(['speed', words.speed(formatNumber(phone.speed))]);
  if (facts.length === 0) return null;
  return (
    <p className="quiet numbers">
      {facts.map(([name, text], index) => (
        <Fragment key={name}>
          {index > 0 && ' · '}
          <span className="one-line">{text}</span>
        </Fragment>
      ))}
    </p>
  );
}
