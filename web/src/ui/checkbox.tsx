import type { ComponentProps, ReactNode } from 'react';
import './checkbox.css';

/** A checkbox with its label. */
export function Checkbox({
  label,
  checked,
  disabled = false,
  onChange,
  ...input
}: {
  label: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
} & Pick<ComponentProps<'input'>, 'tabIndex'> & { 'data-row'?: string }) {
  return (
    <label className="checkbox">
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

/** The checkbox of a row, with an invisible label. `onTick` gets whether Shift was down, which selects a range. */
export function Tick({
  label,
  partly = false,
  onTick,
  ...input
}: {
  label: ReactNode;
  /** Some rows are selected, but not all. */
  partly?: boolean;
  onTick(range: boolean): void;
} & Pick<ComponentProps<'input'>, 'checked' | 'tabIndex'> & { 'data-row'?: string }) {
  return (
    <label className="checkbox tick">
      <span className="visually-hidden">{label}</span>
      <input
        type="checkbox"
        {...input}
        ref={(element) => {
          if (element) element.indeterminate = partly;
        }}
        onChange={(event) => onTick((event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}
