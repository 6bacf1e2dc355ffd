import { useEffect } from 'react';
import { errorParts } from '../../api/problem.ts';
import { problemSentence, t } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { JumpButton } from '../../ui/jump-button.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { begun } from './begun.ts';
import { useFillDemo } from './demo.api.ts';
import './start-panel.css';
import { words } from './start-words.ts';
import { StepCard } from './step-card.tsx';

const { steps } = words;

/** Nothing yet: three steps, of which only the invite code waits for a device, and a demo for who is only looking. */
export function StartPanel({ phone, onAdd }: { phone: boolean; onAdd(): void }) {
  useEffect(() => begun.set('yes'), []);
  return (
    <section className="start" aria-labelledby="start-title">
      {phone && (
        <header className="start-head">
          <p>{t.devices.title}</p>
          <JumpButton />
        </header>
      )}
      <div className="start-body">
        <div className="start-words">
          <h1 id="start-title">{words.title}</h1>
          <p>{phone ? words.text_short : words.text}</p>
        </div>
        <ol className="start-steps" aria-label={steps.label}>
          <StepCard number={1} now title={steps.device.title} text={steps.device.text}>
            <Button look="primary" icon="plus" onClick={onAdd}>
              {steps.device.add}
            </Button>
            <ButtonLink to="/import">{steps.device.import}</ButtonLink>
          </StepCard>
          <StepCard number={2} title={steps.swarm.title} text={steps.swarm.text} shut={steps.swarm.shut}>
            <Button disabled>{steps.swarm.copy}</Button>
            <ButtonLink to="/swarms" state={{ create: true }}>
              {steps.swarm.create}
            </ButtonLink>
          </StepCard>
          <StepCard number={3} title={steps.key.title} text={steps.key.text}>
            <ButtonLink to="/account#keys" state={{ create_key: true }}>
              {steps.key.create}
            </ButtonLink>
          </StepCard>
        </ol>
        <Demo phone={phone} />
      </div>
    </section>
  );
}

function Demo({ phone }: { phone: boolean }) {
  const toasts = useToasts();
  // list and map say that it is there
  const fill = useFillDemo({ onDone: () => begun.set('no') });
  const press = () =>
    fill.mutate(undefined, {
      onError: (error) =>
        toasts.show({ title: words.demo.failed, text: problemSentence(errorParts(error)), tone: 'bad' }),
    });
  return (
    <div className="start-demo">
      <div>
        {!phone && <p className="start-demo-ask">{words.demo.ask}</p>}
        <p className="start-demo-text">{phone ? words.demo.text_short : words.demo.text}</p>
      </div>
      <Button busy={fill.isPending} onClick={press}>
        {fill.isPending ? words.demo.filling : words.demo.fill}
      </Button>
    </div>
  );
}
