import { useId } from 'react';
import type { ReactNode } from 'react';
import { formatNumber } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { words } from './start-words.ts';
import './step-card.css';

/** One step: what it is for and the buttons that do it. Shut, it says what opens it. */
export function StepCard({
  number,
  title,
  text,
  state = 'open',
  shut,
  children,
}: {
  number: number;
  title: string;
  text?: string;
  /** `now` is where to begin. */
  state?: 'open' | 'now' | 'done';
  shut?: string | undefined;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <li className={`step step-${state}${shut === undefined ? '' : ' step-shut'}`} aria-labelledby={heading}>
      <span className="step-number numbers" aria-hidden="true">
        {state === 'done' ? <Icon name="check" size={16} /> : formatNumber(number)}
      </span>
      <div className="step-body">
        <h2 id={heading}>
          {title}
          {state === 'done' && <span className="visually-hidden"> {words.steps.done}</span>}
        </h2>
        {text !== undefined && <p>{text}</p>}
        {shut !== undefined && (
          <p className="step-why">
            <Icon name="lock" size={16} /> {shut}
          </p>
        )}
        <div className="step-acts">{children}</div>
      </div>
    </li>
  );
}
