import type { ComponentProps, ReactNode } from 'react';
import './field.css';

/** An input with a border. `start` and `end` are inside the border: an icon, a key hint, a small button. */
export function FieldBox({ start, end, ...input }: ComponentProps<'input'> & { start?: ReactNode; end?: ReactNode }) {
  return (
    <div className="field-box">
      {start}
      <input autoComplete="off" {...input} className="field-input" />
      {end}
    </div>
  );
}
