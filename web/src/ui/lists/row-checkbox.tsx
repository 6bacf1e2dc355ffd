import type { ComponentProps, ReactNode } from 'react';
import '../fields/checkbox.css';

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
