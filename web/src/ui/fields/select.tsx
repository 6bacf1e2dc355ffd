import type { ComponentProps } from 'react';
import { Icon } from '../symbols/icon.tsx';
import './select.css';

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'className'> {
  value: Value;
  options: readonly { value: Value; label: string; quiet?: boolean; lang?: string }[];
  onChange(value: Value): void;
}

/** A native `<select>`, so that it opens like on every other page, also on phones. */
export function Select<Value extends string>({ value, options, onChange, ...rest }: SelectProps<Value>) {
  const quiet = options.find((option) => option.value === value)?.quiet === true;
  return (
    <span className={quiet ? 'select select-quiet' : 'select'}>
      <select {...rest} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} />
    </span>
  );
}
