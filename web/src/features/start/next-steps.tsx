import { useId, type ReactNode } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { t, formatNumber } from '../../text/text.ts';
import { Button, ButtonLink, IconButton } from '../../ui/buttons/button.tsx';
import { createPreference, usePreference } from '../../ui/browser/preference.ts';
import '../../ui/pages/box.css';
import '../../ui/pages/page-strip.css';
import './next-steps.css';
import { Icon } from '../../ui/symbols/icon.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import './step-card.css';

/** Whether the start panel was shown in this browser and its next steps have not been dismissed. */
export const nextStepsPreference = createPreference({ key: 'start', values: ['no', 'yes'] });

/** Users with more devices do not need the next steps. */
const fewDevices = 5;

/** Whether the next steps are shown. */
export const useIsStarting = (count: number) =>
  usePreference(nextStepsPreference) === 'yes' && count > 0 && count <= fewDevices;

export interface NextStepsProps {
  /** The selected one or the first; undefined until it is known. */
  device: Pick<Device, 'id' | 'name' | 'presence'> | undefined;
  copyCode: ReactNode;
  /** The user is in a swarm, or owns one. */
  hasSwarm: boolean;
  onAdd(): void;
}

/** The device has sent something: its key works. */
const isConnected = (device: NextStepsProps['device']) => device !== undefined && device.presence.state !== 'never';

/** The next steps of the start panel, below the first devices, until the user dismisses them. */
export function NextSteps({ device, copyCode, hasSwarm, onAdd }: NextStepsProps) {
  const name = device && <Bdi>{device.name}</Bdi>;
  const { swarm, connect, receive } = t.start.steps;
  const isDone = isConnected(device);
  return (
    <section className="next-steps" aria-label={t.start.next.title}>
      <ol aria-label={t.start.steps.label}>
        {!hasSwarm && (
          <StepCard
            number={2}
            now
            title={swarm.title}
            text={name ? <Rich text={swarm.text_of} name={name} /> : swarm.text}
          >
            {copyCode}
            <ButtonLink to="/swarms" state={{ create: device ? { device: { id: device.id, name: device.name } } : {} }}>
              {swarm.create}
            </ButtonLink>
          </StepCard>
        )}
        {device && !isDone && (
          <StepCard number={3} now={hasSwarm} title={<Rich text={connect.title_of} name={name} />} text={connect.text}>
            <ButtonLink to={`/devices/${device.id}`} state={{ connect: true }}>
              {t.connect.action}
            </ButtonLink>
          </StepCard>
        )}
        <StepCard number={4} now={hasSwarm && isDone} title={receive.title} text={receive.text}>
          <Button onClick={onAdd}>{t.start.steps.device.add}</Button>
        </StepCard>
      </ol>
      <div className="next-steps-close">
        <IconButton
          look="quiet"
          icon="close"
          label={t.start.next.close}
          onClick={() => nextStepsPreference.set('no')}
        />
      </div>
    </section>
  );
}

/** The first of them in one line, with a button for all. */
export function NextStepsStrip({
  device,
  hasSwarm,
  onMore,
}: Pick<NextStepsProps, 'device' | 'hasSwarm'> & { onMore(): void }) {
  const { swarm, connect, receive } = t.start.steps;
  const next = !hasSwarm ? swarm : isConnected(device) ? receive : connect;
  return (
    <div className="line gap-3 spread quiet page-strip">
      <span>{next.title}</span>
      <Button look="accent" size="row" onClick={onMore}>
        {t.start.next.title}
      </Button>
    </div>
  );
}

interface StepCardProps {
  number: number;
  title: ReactNode;
  text?: ReactNode;
  /** The first step. */
  now?: boolean;
  shut?: string | undefined;
  children?: ReactNode;
}

/** One step with its buttons. A disabled step shows what it needs first. */
export function StepCard({ number, title, text, now = false, shut, children }: StepCardProps) {
  const heading = useId();
  return (
    <li
      className={`frame step${now ? ' step-now' : ''}${shut === undefined ? '' : ' step-shut'}`}
      aria-labelledby={heading}
    >
      <span className="center step-number numbers" aria-hidden="true">
        {formatNumber(number)}
      </span>
      <div className="fill step-body">
        <h2 id={heading}>{title}</h2>
        {text !== undefined && <p>{text}</p>}
        {shut !== undefined && (
          <p className="step-why">
            <Icon name="lock" size={16} /> {shut}
          </p>
        )}
        {children !== undefined && <div className="line wraps step-actions">{children}</div>}
      </div>
    </li>
  );
}
