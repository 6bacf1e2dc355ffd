import {
  use,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { t } from '../../text/text.ts';
import { Button, IconButton } from '../buttons/button.tsx';
import './dialog.css';
import { Offline } from '../browser/offline.ts';
import { useKeyboard } from '../keys/keys-provider.tsx';
import { useBackCloses } from './back-closes.ts';
import { hasTypedText } from '../fields/unsaved-input.ts';
import { useEventListener } from '../browser/use-event-listener.ts';

interface ModalOptions {
  dialog: RefObject<HTMLDialogElement | null>;
  onClose: (() => void) | undefined;
  onOpen(element: HTMLDialogElement): void;
}

/**
 * Opens a `<dialog>` as a modal one for as long as it is rendered. Returns what to spread on it: Esc, Back and a click on
 * the scrim call `onClose`.
 */
export function useModal({ dialog, onClose, onOpen }: ModalOptions) {
  const pressedScrim = useRef(false);
  useBackCloses(onClose !== undefined, () => onClose?.());
  const opened = useEffectEvent(onOpen);
  // A layout effect: closing restores the focus only while the element is still in the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    element.showModal();
    opened(element);
    return () => element.close();
  }, [dialog]);
  const close = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose?.();
  };
  return {
    onCancel: close,
    // A second Back on Android closes a dialog that has not closed at the first one. Only its parent may close it.
    onClose({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
      if (!currentTarget.open) currentTarget.showModal();
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.stopPropagation();
      close(event);
    },
    // Closes on click, not on press: otherwise the rest of a tap would press the element below. The press must be on
    // the scrim too, because a text selection with the mouse may end there.
    onPointerDown({ target, currentTarget }: PointerEvent) {
      pressedScrim.current = target === currentTarget;
    },
    onClick({ target, currentTarget }: MouseEvent) {
      if (pressedScrim.current && target === currentTarget) onClose?.();
    },
  };
}

interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  onClose?(): void;
  /** It sends a request: closing it loses nothing, so nothing asks (use-closing.ts). */
  busy?: boolean;
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large' | 'full';
  /** The dialog has no focusable content: it gets the focus itself, so that keys scroll it. */
  reading?: boolean;
  /** The dialog hides the page entirely. */
  cover?: boolean;
  role?: 'alertdialog';
  children?: ReactNode;
}

/**
 * A modal dialog, open for as long as it is rendered; on the phone a sheet. The browser keeps the focus inside and
 * restores it afterwards. `data-autofocus` on a control says where it starts; text that was typed while the dialog's
 * code loaded goes there. The close button calls `onClose`. Esc, Back and a click on the scrim, which happen by mistake,
 * first ask if typed text would be lost.
 */
export function Dialog({
  title,
  description,
  onClose,
  busy = false,
  footer,
  size = 'medium',
  reading = false,
  cover = false,
  role,
  children,
}: DialogProps) {
  const offline = use(Offline);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const keys = useKeyboard();
  const [isAsking, setAsking] = useState(false);
  const closeByMistake = () => {
    if (!busy && dialog.current && hasTypedText(dialog.current)) setAsking(true);
    else onClose?.();
  };
  const modal = useModal({
    dialog,
    onClose: onClose && closeByMistake,
    onOpen(element) {
      const first = element.querySelector<HTMLElement>('[data-autofocus]');
      // The browser has scrolled to the first control: a long text is read from its start. Only then can the title get the focus, which
      // the browser would give to it in each dialog.
      const isScrolled = element.scrollTop > 0 || body.current!.scrollTop > 0;
      if (!first && isScrolled) heading.current!.tabIndex = -1;
      (first ?? (isScrolled ? heading.current : null))?.focus();
      typeInto(first, keys.takeTyped());
    },
  });

  // A page is loaded again by mistake too: a phone does it when a finger pulls it down.
  useEventListener(window, 'beforeunload', (event) => {
    if (dialog.current && hasTypedText(dialog.current)) event.preventDefault();
  });

  const discard = () => {
    setAsking(false);
    onClose?.();
  };

  return (
    <dialog
      ref={dialog}
      role={role}
      className={`modal dialog dialog-${size}${cover ? ' dialog-cover' : ''}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      {...modal}
    >
      <div ref={body} className="stack gap-4 dialog-body" {...(reading && { tabIndex: 0 })}>
        <h2 ref={heading} id={`${id}-title`} className="dialog-title">
          {title}
        </h2>
        {description && (
          <div id={`${id}-description`} className="dialog-description">
            {description}
          </div>
        )}
        {children}
        {onClose && (
          <div className="dialog-close">
            <IconButton
              icon="close"
              look="quiet"
              label={t.shell.kit.close}
              data-autofocus={reading || undefined}
              onClick={onClose}
            />
          </div>
        )}
      </div>
      {footer && (
        <div className="line wraps dialog-foot">
          {offline && <p className="dialog-offline">{offline.reason}</p>}
          {footer}
        </div>
      )}
      {isAsking && <DiscardQuestion onDiscard={discard} onStay={() => setAsking(false)} />}
    </dialog>
  );
}

/** Asks whether typed text may be lost. */
export function DiscardQuestion({ onDiscard, onStay }: { onDiscard(): void; onStay(): void }) {
  const { discard_title, discard, keep_editing } = t.shell.kit;
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={discard_title}
      onClose={onStay}
      footer={
        <>
          <Button look="danger-primary" onClick={onDiscard}>
            {discard}
          </Button>
          <Button data-autofocus onClick={onStay}>
            {keep_editing}
          </Button>
        </>
      }
    />
  );
}

/** Puts text that was typed before into a field, with the caret after it. */
export function typeInto(field: HTMLElement | null, text: string): void {
  if (text === '' || !(field instanceof HTMLInputElement) || field.selectionStart === null) return;
  field.setRangeText(text, field.value.length, field.value.length, 'end');
  // Triggers React's `onChange`.
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
