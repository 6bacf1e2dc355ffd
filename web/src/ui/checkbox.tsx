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

type RowCheckboxProps = {
  label: ReactNode;
  /** Some rows are selected, but not all. */
  partly?: boolean;
  onToggle(range: boolean): void;
} & Pick<ComponentProps<'input'>, 'checked' | 'tabIndex'> & { 'data-row'?: string };

/** The checkbox of a row, with an invisible label. `onToggle` gets whether Shift was down, which selects a range. */
export function RowCheckbox({ label, partly = false, onToggle, ...input }: RowCheckboxProps) {
  return (
    <label className="line gap-3 checkbox checkbox-only">
      <span className="visually-hidden">{label}</span>
      <input
        type="checkbox"
        {...input}
        ref={(element) => {
          if (element) element.indeterminate = partly;
        }}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}
