import {
  createContext,
  use,
  useCallback,
  useMemo,
  useRef,
  useState,
  useEffect,
  useEffectEvent,
  type ReactNode,
  type FocusEvent,
  type PointerEvent,
} from 'react';
import { errorSentence, isOutcomeUnknown, isSignedOut } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { Button, IconButton } from '../buttons/button.tsx';
import type { IconName } from '../symbols/icon.tsx';
import { inOrder } from '../../text/isolate.ts';
import { bothRefs, readsHeights } from '../browser/measured-height.ts';
import { Notice, type NoticeTone } from './notice.tsx';
import { coversPage } from './toast-space.ts';
import './toast.css';
import { useFocusReturn } from '../browser/use-focus-restore.ts';

export interface Toast {
  title: ReactNode;
  text?: ReactNode;
  tone?: NoticeTone;
  icon?: IconName;
  action?: { label: string; onAction(): void };
  /** A new one about the same replaces it: what waits in the outbox has been sent. */
  about?: 'outbox';
  /** How long it is shown, in seconds, without the pointer or focus on it. Errors stay until they are dismissed. */
  seconds?: number;
}

interface Toasts {
  /** Shows a notice and returns its key. */
  show(toast: Toast): number;
  dismiss(key: number): void;
}

const Context = createContext<Toasts | null>(null);

export function useToasts(): Toasts {
  const toasts = use(Context);
  if (!toasts) throw new Error('ToastProvider is missing');
  return toasts;
}

/**
 * Shows a toast for a failed action: `title` says what has failed, unless that is not known. `dialog`: the title of the dialog that
 * has sent it, if the user has closed that.
 */
export function useErrorToast(): (error: unknown, title?: string, dialog?: ReactNode) => void {
  const { show } = useToasts();
  return (error, title, dialog) => {
    if (isSignedOut(error)) return;
    const reason = errorSentence(error);
    const heading = title !== undefined && isOutcomeUnknown(error) ? t.shell.unconfirmed : title;
    show({
      ...(heading === undefined
        ? { title: reason }
        : dialog === undefined
          ? { title: heading, text: reason }
          : { title: dialog, text: `${heading}. ${reason}` }),
      tone: 'bad',
      icon: 'warning',
    });
  };
}

type ShownToast = Toast & { key: number };

/** Until when it is shown by itself, in seconds. */
const secondsOf = ({ seconds, tone }: Toast) => seconds ?? (tone === 'bad' ? Infinity : 6);
/** So many of those that end by themselves are shown at once. */
const mostPassing = 3;

/** A new toast replaces the same one, and the oldest of those that end by themselves. */
function withToast(all: readonly ShownToast[], toast: ShownToast): ShownToast[] {
  const stays = (one: Toast) => secondsOf(one) === Infinity;
  const isSame = (one: Toast) =>
    (one.title === toast.title && one.text === toast.text && !one.action) ||
    (one.about !== undefined && one.about === toast.about);
  const others = all.filter((one) => !isSame(one));
  const passing = others.filter((one) => !stays(one));
  const oldest = stays(toast) || passing.length < mostPassing ? undefined : passing[0];
  return [...others.filter((one) => one !== oldest), toast];
}

const toastsRef = bothRefs(readsHeights, coversPage);

/** The live region of the toasts. It is rendered from the start, because only changes in it are read aloud. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast[]>([]);
  const nextKey = useRef(1);
  const dismiss = useCallback((key: number) => setShown((all) => all.filter((toast) => toast.key !== key)), []);
  const toasts = useMemo<Toasts>(
    () => ({
      show: (toast) => {
        const key = nextKey.current++;
        setShown((all) => withToast(all, { ...toast, key }));
        return key;
      },
      dismiss,
    }),
    [dismiss],
  );
  const focusReturn = useFocusReturn();
  return (
    <Context value={toasts}>
      {children}
      <section
        ref={toastsRef}
        className="stack toasts"
        aria-label={t.shell.notices}
        aria-live="polite"
        {...focusReturn}
      >
        {shown.map(({ key, ...toast }) => (
          <ToastItem key={key} toast={toast} onDone={() => dismiss(key)} />
        ))}
      </section>
    </Context>
  );
}

function ToastItem({ toast, onDone }: { toast: Toast; onDone(): void }) {
  const [secondsLeft, setSecondsLeft] = useState(secondsOf(toast));
  const { active: isPaused, handlers } = useHoverOrFocus();
  const isCounting = !isPaused && secondsLeft !== Infinity;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setSecondsLeft((value) => value - 1), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  const isOver = secondsLeft <= 0;
  const dismiss = useEffectEvent(onDone);
  useEffect(() => {
    if (isOver) dismiss();
  }, [isOver]);
  return (
    <div {...handlers}>
      <Notice
        title={namesInOrder(toast.title)}
        text={namesInOrder(toast.text)}
        tone={toast.tone ?? 'plain'}
        {...(toast.icon && { icon: toast.icon })}
      >
        {toast.action && (
          <Button
            size="small"
            onClick={() => {
              toast.action?.onAction();
              onDone();
            }}
          >
            {toast.action.label}
          </Button>
        )}
        <IconButton icon="close" look="quiet" label={t.shell.kit.dismiss} onClick={onDone} />
      </Notice>
    </div>
  );
}

/**
 * `active` while the element that gets `handlers` has the pointer, or contains the focus. An element that appears under a
 * resting pointer does not have it until the pointer moves.
 */
export function useHoverOrFocus() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  return {
    active: hovered || focused,
    handlers: {
      onPointerMove: ({ movementX, movementY }: PointerEvent) => {
        if (movementX !== 0 || movementY !== 0) setHovered(true);
      },
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => setFocused(currentTarget.contains(relatedTarget)),
    },
  };
}

/** A sentence may have the name of another user's device. */
const namesInOrder = (text: ReactNode) => (typeof text === 'string' ? inOrder(text) : text);
