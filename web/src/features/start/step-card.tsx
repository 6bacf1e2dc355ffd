import { useId } from 'react';
import type { ReactNode } from 'react';
import { formatNumber } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import './step-card.css';

/** One step with its buttons. A disabled step shows what it needs first. */
export function StepCard({
  number,
  title,
  text,
  now = false,
  shut,
  children,
}: {
  number: number;
  title: string;
  text?: string;
  /** The first step. */
  now?: boolean;
  shut?: string | undefined;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <li className={`step${now ? ' step-now' : ''}${shut === undefined ? '' : ' step-shut'}`} aria-labelledby={heading}>
      <span className="step-number numbers" aria-hidden="true">
        {formatNumber(number)}
      </span>
      <div className="step-body">
        <h2 id={heading}>{title}</h2>
        {text !== undefined && <p>{text}</p>}
        {shut !== undefined && (
          <p className="step-why">
            <Icon name="lock" size={16} /> {shut}
          </p>
        )}
        <div className="step-actions">{children}</div>
      </div>
    </li>
  );
}
