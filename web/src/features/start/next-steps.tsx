import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { begun } from './begun.ts';
import './next-steps.css';
import { words } from './start-words.ts';
import { StepCard } from './step-card.tsx';

const { steps } = words;
/** Who has more has found the way. */
const fewDevices = 5;

/** What Start had for later: below the first devices, until somebody closes it. */
export function NextSteps({ count, copyCode, roomy }: { count: number; copyCode: ReactNode; roomy: boolean }) {
  const wanted = useSyncExternalStore(begun.subscribe, begun.get) === 'yes';
  if (!wanted || count === 0 || count > fewDevices) return null;
  return (
    <section className="next-steps" aria-label={words.next.title}>
      <ol aria-label={steps.label}>
        <StepCard number={2} now title={steps.swarm.title} {...(roomy && { text: steps.swarm.text })}>
          {copyCode}
          <ButtonLink to="/swarms" state={{ create: true }}>
            {steps.swarm.create}
          </ButtonLink>
        </StepCard>
        {roomy && (
          <StepCard number={3} title={steps.key.title} text={steps.key.text}>
            <ButtonLink to="/account#keys" state={{ create_key: true }}>
              {steps.key.create}
            </ButtonLink>
          </StepCard>
        )}
      </ol>
      <div className="next-steps-close">
        <IconButton look="quiet" icon="close" label={words.next.close} onClick={() => begun.set('no')} />
      </div>
    </section>
  );
}
