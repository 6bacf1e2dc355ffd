import { formatNumber } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import './import-steps.css';
import { words } from './import-words.ts';

const steps = ['file', 'columns', 'check', 'import'] as const;

/** Where one is on the way, from 1; what is done has a tick, what is to come its number. */
export function ImportSteps({ at }: { at: number }) {
  return (
    <ol className="import-steps" aria-label={words.steps.label}>
      {steps.map((step, index) => {
        const number = index + 1;
        const state = number < at ? 'done' : number === at ? 'now' : 'later';
        return (
          <li
            key={step}
            className={`import-step import-step-${state}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {state === 'done' ? (
              <Icon name="check" size={16} />
            ) : (
              <span className="import-step-number numbers" aria-hidden="true">
                {formatNumber(number)}
              </span>
            )}
            {words.steps[step]}
          </li>
        );
      })}
    </ol>
  );
}
