import { useQuery } from '@tanstack/react-query';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { IntervalField } from '../../../shared/interval-field.tsx';
import { formatInterval } from '../../../text/formats.ts';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';

interface ExpectedFieldProps {
  /** In seconds. */
  value: number | undefined;
  isChanged: boolean;
  readOnly: boolean;
  /** The id of the device, unless it is new. */
  resource_id: string | undefined;
  error: string | undefined;
  onChange(seconds: number | undefined): void;
}

/** How often the device is expected to be heard. Without a time of its own, that of a swarm applies. */
export function ExpectedField({ value, isChanged, readOnly, resource_id, error, onChange }: ExpectedFieldProps) {
  const ofSwarm = useQuery({
    ...deviceQuery(resource_id ?? ''),
    enabled: resource_id !== undefined,
    select: expectedBySwarm,
  }).data;
  const applies = value === undefined && ofSwarm && (
    <>
      <Rich
        text={t.device.form.expected_of(formatInterval(ofSwarm.every))}
        swarm={<Bdi>{ofSwarm.swarm.name}</Bdi>}
      />{' '}
    </>
  );
  return (
    <IntervalField
      value={value}
      none={t.device.form.not_expected}
      never={t.device.form.never_expected}
      hint={
        (applies || !readOnly) && (
          <>
            {applies}
            {!readOnly && t.device.form.expected_hint}
          </>
        )
      }
      changed={isChanged}
      readOnly={readOnly}
      error={error}
      onChange={onChange}
    />
  );
}

/** The time that a swarm sets. */
function expectedBySwarm(device: Device | null) {
  const { every, swarm } = device?.expected ?? {};
  return every !== undefined && swarm ? { every, swarm } : null;
}
