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

/** A tick of a row: its label is read and not seen. `onTick` says whether Shift was down: up to here from the last one. */
export function Tick({
  label,
  partly = false,
  onTick,
  ...input
}: {
  label: ReactNode;
  /** Some of what it stands for, and not all. */
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
