import type { ReactNode } from 'react';
import { Rich } from '../ui/texts/rich.tsx';
import './consent-lines.css';

interface ConsentLinesProps {
  /** A line of the list each, with placeholders. Between asterisks is what is emphasized: who sees or reads it. */
  text: string;
  placeholders?: Record<string, ReactNode>;
  /** More lines, as `<li>`. */
  children?: ReactNode;
}

/** What a consent lets others see, as short lines: who sees what, who reads what is sent, who is notified, until when. */
export function ConsentLines({ text, placeholders, children }: ConsentLinesProps) {
  return (
    <ul className="consent-lines numbers">
      {text.split('\n').map((line) => (
        <li key={line}>
          {line.split('*').map((part, index) => {
            const words = <Rich text={part} {...placeholders} />;
            return index % 2 === 1 ? <b key={part}>{words}</b> : <span key={part}>{words}</span>;
          })}
        </li>
      ))}
      {children}
    </ul>
  );
}
