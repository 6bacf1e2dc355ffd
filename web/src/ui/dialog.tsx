import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import './dialog.css';
import { useUi } from './environment.tsx';

/**
 * A modal dialog, open for as long as it is rendered; on the phone a sheet. The browser keeps the focus inside and
 * gives it back afterwards; `data-autofocus` on a control says where it starts. Esc, the scrim and the cross ask
 * `onClose`; whether it closes is the owner's choice.
 */
export function Dialog({
  title,
  description,
  onClose,
  footer,
  size = 'medium',
  reading = false,
  role,
  children,
}: {
  title: ReactNode;
  description?: ReactNode;
  onClose?(): void;
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** Nothing in it can be focused: it can itself, so that keys scroll it. */
  reading?: boolean;
  role?: 'alertdialog';
  children?: ReactNode;
}) {
  const { words } = useUi();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect: only while the element is still in the page does closing it give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    element.showModal();
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => element.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      role={role}
      className={`dialog dialog-${size}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose?.();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose?.();
      }}
    >
      <div className="dialog-body" {...(reading && { tabIndex: 0 })}>
        <h2 id={`${id}-title`} className="dialog-title">
          {title}
        </h2>
        {description && (
          <p id={`${id}-description`} className="dialog-description">
            {description}
          </p>
        )}
        {children}
      </div>
      {footer && <div className="dialog-foot">{footer}</div>}
      {onClose && (
        <div className="dialog-close">
          <IconButton
            icon="close"
            look="quiet"
            label={words.close}
            data-autofocus={reading || undefined}
            onClick={onClose}
          />
        </div>
      )}
    </dialog>
  );
}
