import { useId, type FormEvent, type ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../buttons/button.tsx';
import { Dialog } from './dialog.tsx';
import { useErrorFocus } from '../fields/field.tsx';
import { useClosing, type ClosingOptions } from './use-closing.ts';

interface FormDialogProps {
  title: ReactNode;
  description?: ReactNode;
  size?: 'small' | 'medium';
  /** The label of the submit button. Without it, the form is read-only. */
  submit?: string | undefined;
  /** "Cancel" by default. */
  cancel?: string | undefined;
  look?: 'primary' | 'danger-primary';
  /** The form sends a request, which is not possible offline. */
  sends?: boolean;
  busy?: boolean;
  /** Said if it is closed while it sends. */
  closingNote?: string | undefined;
  /** Said if it was closed while it sent, and that has succeeded. By default, that it is done. */
  outcome?: ClosingOptions['outcome'];
  /** What is typed is stored until it has been sent, so closing loses nothing. */
  isStored?: boolean;
  /** A new object after each failed submit. */
  errors: object;
  className?: string;
  /** More buttons, after Cancel. */
  buttons?: ReactNode;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** A dialog with one form. If a submit fails, the focus moves to the first invalid field. */
export function FormDialog({
  title,
  description,
  size = 'small',
  submit,
  cancel,
  look = 'primary',
  sends = true,
  busy = false,
  closingNote,
  outcome,
  isStored = false,
  errors,
  className = 'form',
  buttons,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId();
  const form = useErrorFocus(errors);
  const close = useClosing({ busy, closingNote, outcome, title, onClose });
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      size={size}
      title={title}
      description={description}
      onClose={close}
      busy={busy}
      footer={
        <>
          {submit && (
            <Button type="submit" form={id} look={look} sends={sends} busy={busy}>
              {submit}
            </Button>
          )}
          <Button onClick={close}>{busy ? t.shell.kit.close : (cancel ?? t.shell.kit.cancel)}</Button>
          {buttons}
        </>
      }
    >
      <form ref={form} id={id} className={className} data-stored={isStored || undefined} noValidate onSubmit={send}>
        {children}
      </form>
    </Dialog>
  );
}
