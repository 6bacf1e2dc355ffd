import type { ComponentProps, ReactNode } from 'react';
import './field-box.css';

/** An input in its border. `start` and `end` stand within it too: an icon, a key hint, a small button. */
export function FieldBox({ start, end, ...input }: ComponentProps<'input'> & { start?: ReactNode; end?: ReactNode }) {
  return (
    <div className="field-box">
      {start}
      <input autoComplete="off" {...input} className="field-input" />
      {end}
    </div>
  );
}
