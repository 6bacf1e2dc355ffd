import { useId, useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { FieldBox } from './field-box.tsx';
import './field-parts.css';

interface FieldFrame {
  label: string;
  hint?: ReactNode;
  /** The error as a sentence. It describes the field, and is announced when it appears. */
  error?: string | undefined;
  optional?: boolean | undefined;
  /** The value differs from what is stored. */
  changed?: boolean | undefined;
  /** Hides the label from sight only. */
  quiet?: boolean | undefined;
}

interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps extends FieldFrame {
  children(control: FieldControl): ReactNode;
}

/** Label, hint and error around any control. `children` gets the attributes that connect them. */
export function Field({ label, hint, error, optional, changed, quiet, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <div className={quiet ? 'visually-hidden' : 'line spread'}>
        <label htmlFor={id} className="field-label">
          {label}
          {optional && <span className="field-optional muted"> {t.shell.kit.optional}</span>}
        </label>
        {changed && <span className="field-changed">{t.shell.kit.changed}</span>}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="field-hint muted">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {error}
      </p>
    </div>
  );
}

type Frame<Props> = FieldFrame & Omit<Props, keyof FieldFrame>;

/** Separates the props of the frame from those of the control. */
function split<Props extends FieldFrame>({ label, hint, error, optional, changed, quiet, ...input }: Props) {
  return { frame: { label, hint, error, optional, changed, quiet }, input };
}

export function TextField(props: Frame<ComponentProps<typeof FieldBox>>) {
  const { frame, input } = split(props);
  return <Field {...frame}>{(control) => <FieldBox {...input} {...control} />}</Field>;
}

export function TextArea(props: Frame<ComponentProps<'textarea'>>) {
  const { frame, input } = split(props);
  return (
    <Field {...frame}>
      {(control) => (
        <div className="field-box">
          <textarea dir="auto" rows={3} {...input} {...control} className="field-input field-area" />
        </div>
      )}
    </Field>
  );
}

/**
 * A text field for text of one line in any language. Programs and files also store line breaks: such a text stays in a
 * text area, because an `<input>` would remove them.
 */
export function LineField(props: Frame<ComponentProps<'input'>> & { value: string }) {
  const [hasLines, setHasLines] = useState(false);
  if (!hasLines && /[\r\n]/.test(props.value)) setHasLines(true);
  return hasLines ? <TextArea {...(props as ComponentProps<typeof TextArea>)} /> : <TextField dir="auto" {...props} />;
}

/** In a group of radio buttons, the group is invalid and its first button gets the focus. */
const invalidField = '[aria-invalid="true"]:not([role="radiogroup"]), [role="radiogroup"][aria-invalid="true"] input';

/** Moves the focus to the first invalid field after a failed submit. `errors` must be a new object each time. */
export function useErrorFocus<T extends HTMLElement = HTMLFormElement>(errors: object) {
  const form = useRef<T>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>(invalidField)?.focus();
  }, [errors]);
  return form;
}
