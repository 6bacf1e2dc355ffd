import { useId, type ReactNode } from 'react';
import './field.css';
import './field-parts.css';
import './segmented.css';

interface SegmentedProps<Value extends string> {
  label: string;
  /** Empty if none is chosen. */
  value: Value | '';
  /** `short`: what a narrow screen shows of the label. */
  options: readonly { value: Value; label: string; short?: string; icon?: ReactNode }[];
  onChange(value: Value): void;
  disabled?: boolean;
  required?: boolean;
  /** Explains the options. */
  hint?: string | false;
  /** The error as a sentence. It describes the group, and is announced when it appears. */
  error?: string | undefined;
  tag?: ReactNode;
}

/** One of a few options, all visible. Native radio buttons, so arrow keys and forms work. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
  required = false,
  hint,
  error,
  tag,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset
      className="segmented"
      disabled={disabled}
      role="radiogroup"
      aria-required={required || undefined}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${name}-error` : hint ? `${name}-hint` : undefined}
    >
      <legend className="field-label segmented-label">
        {label} {tag}
      </legend>
      <div className="segmented-box">
        {options.map((option) => (
          <label key={option.value} className="segmented-option">
            <input
              type="radio"
              className="visually-hidden"
              aria-label={option.short && option.label}
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.icon}
            {option.short ? <ShortLabel {...option} short={option.short} /> : option.label}
          </label>
        ))}
      </div>
      {hint && (
        <p id={`${name}-hint`} className="quiet segmented-hint">
          {hint}
        </p>
      )}
      {required && (
        <p id={`${name}-error`} className="field-error segmented-error" aria-live="polite">
          {error}
        </p>
      )}
    </fieldset>
  );
}

const ShortLabel = ({ label, short }: { label: string; short: string }) => (
  <>
    <span className="segmented-long">{label}</span>
    <span className="segmented-short">{short}</span>
  </>
);
