import { formatNumber, t } from '../../text/text.ts';
import { Icon } from '../../ui/symbols/icon.tsx';
import './import-steps.css';

const steps = ['file', 'columns', 'check', 'import'] as const;

/** The steps of the import. `at` is the current one, from 1. */
export function ImportSteps({ at }: { at: number }) {
  return (
    <ol className="import-steps" aria-label={t.import.steps.label}>
      {steps.map((step, index) => {
        const number = index + 1;
        const state = number < at ? 'done' : number === at ? 'now' : 'later';
        return (
          <li
            key={step}
            className={`line import-step import-step-${state}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {state === 'done' ? (
              <Icon name="check" size={16} />
            ) : (
              <span className="center import-step-number numbers" aria-hidden="true">
                {formatNumber(number)}
              </span>
            )}
            {t.import.steps[step]}
          </li>
        );
      })}
    </ol>
  );
}
