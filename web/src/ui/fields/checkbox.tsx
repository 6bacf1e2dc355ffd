import type { ComponentProps, ReactNode } from 'react';
import './checkbox.css';

type CheckboxProps = {
  label: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
} & Pick<ComponentProps<'input'>, 'tabIndex' | 'aria-describedby'> & { 'data-row'?: string };

/** A checkbox with its label. */
export function Checkbox({ label, checked, disabled = false, onChange, ...input }: CheckboxProps) {
  return (
    <label className="line gap-3 checkbox">
      <input
        type="checkbox"
        {...input}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
