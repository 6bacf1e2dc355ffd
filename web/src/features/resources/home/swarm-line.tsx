import type { Device } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Rich } from '../../../ui/rich.tsx';

/** The second line of a row: the swarms of the device, truncated. */
export function SwarmLine({ device }: { device: Device }) {
  const [first, second] = device.swarms;
  const rest = device.swarms.length - 1;
  const line =
    first === undefined ? (
      t.devices.no_swarm
    ) : rest === 0 ? (
      <Bdi>{first.name}</Bdi>
    ) : rest === 1 && second ? (
      <Rich text={t.devices.swarms_two} first={<Bdi>{first.name}</Bdi>} second={<Bdi>{second.name}</Bdi>} />
    ) : (
      <Rich text={t.devices.swarms_and_more(formatNumber(rest))} first={<Bdi>{first.name}</Bdi>} />
    );
  if (device.position) return line;
  return first === undefined ? t.devices.unplaced : <Rich text={t.devices.unplaced_and} rest={line} />;
}
