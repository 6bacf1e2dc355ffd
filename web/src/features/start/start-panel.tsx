import { useEffect, type FC } from 'react';
import { t } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { phone, useMedia } from '../../ui/browser/media.ts';
import { JumpButton } from '../../ui/pages/page-head.tsx';
import { AddDemo } from './demo-strip.tsx';
import './start-panel.css';
import { nextStepsPreference, StepCard } from './next-steps.tsx';

interface StartPanelProps {
  seen: number;
  onAdd(): void;
  onSeen(): void;
  /** The demo is there. */
  onDemo(): void;
}

/**
 * Shown without own devices: four steps, of which the last two need a device first, and a demo. `seen`: how many
 * devices of others the user sees, which `onSeen` lists.
 */
export function StartPanel({ seen, onAdd, onSeen, onDemo }: StartPanelProps) {
  const { Head, DemoText } = useMedia(phone) ? phoneLayout : deskLayout;
  useEffect(() => nextStepsPreference.set('yes'), []);
  return (
    <section className="start" aria-labelledby="start-title">
      <Head />
      <div className="stack gap-4 start-body">
        <div className="start-words">
          <h1 id="start-title">{seen > 0 ? t.start.seen.title(seen) : t.start.title}</h1>
          <p>{seen > 0 ? t.start.seen.text : t.start.text}</p>
          {seen > 0 && (
            <div className="line wraps start-seen">
              <Button look="primary" icon="eye" onClick={onSeen}>
                {t.start.seen.list}
              </Button>
              <ButtonLink icon="system" to="/map">
                {t.start.seen.wall}
              </ButtonLink>
            </div>
          )}
        </div>
        <ol className="stack gap-3" aria-label={t.start.steps.label}>
          <StepCard number={1} now={seen === 0} title={t.start.steps.device.title} text={t.start.steps.device.text}>
            <Button look={seen > 0 ? 'plain' : 'primary'} icon="plus" onClick={onAdd}>
              {t.start.steps.device.add}
            </Button>
            <ButtonLink to="/import">{t.start.steps.device.import}</ButtonLink>
            <ButtonLink to="/account#keys" state={{ share_phone: '/' }}>
              {t.connect.phone.action}
            </ButtonLink>
          </StepCard>
          <StepCard
            number={2}
            title={t.start.steps.swarm.title}
            text={t.start.steps.swarm.text}
            shut={t.start.steps.swarm.shut}
          >
            <Button disabled>{t.start.steps.swarm.copy}</Button>
            <ButtonLink to="/swarms" state={{ create: {} }}>
              {t.start.steps.swarm.create}
            </ButtonLink>
          </StepCard>
          <StepCard number={3} title={t.start.steps.connect.title} text={t.start.steps.connect.text} />
          <StepCard number={4} title={t.start.steps.receive.title} text={t.start.steps.receive.text} />
        </ol>
        <div className="line gap-4 spread start-demo">
          <div>
            <DemoText />
          </div>
          <AddDemo onShown={onDemo} />
        </div>
      </div>
    </section>
  );
}

/** What differs between a phone and a desk. */
interface StartLayout {
  Head: FC;
  DemoText: FC;
}

const phoneLayout: StartLayout = {
  Head: () => (
    <header className="line spread start-head">
      <p>{t.devices.title}</p>
      <JumpButton />
    </header>
  ),
  // The end of a long page.
  DemoText: () => <p className="quiet">{t.start.demo.text_short}</p>,
};

const deskLayout: StartLayout = {
  Head: () => null,
  DemoText: () => (
    <>
      <p className="strong">{t.start.demo.ask}</p>
      <p className="quiet">{t.start.demo.text}</p>
    </>
  ),
};
