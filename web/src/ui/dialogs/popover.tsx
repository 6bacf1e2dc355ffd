import {
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useBackCloses } from './back-closes.ts';
import './popover.css';

const gap = 4;
const margin = 8;

interface PopoverProps {
  id: string;
  kind: 'menu' | 'dialog';
  label: string;
  anchor: RefObject<HTMLElement | null>;
  className: string;
  /** Called once it is shown: moves the focus. */
  onOpen?: (element: HTMLElement) => void;
  onClose(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  children: ReactNode;
}

/**
 * A box over the page beside its anchor, open for as long as it is rendered. Esc, Back, a click elsewhere and Tab out
 * of it call `onClose`; Esc and Back also return the focus to the anchor.
 */
export function Popover({ id, kind, label, anchor, className, onOpen, onClose, onKeyDown, children }: PopoverProps) {
  const popover = useRef<HTMLDivElement>(null);
  const opened = useEffectEvent((element: HTMLElement) => onOpen?.(element));
  const close = () => {
    anchor.current?.focus();
    onClose();
  };
  useBackCloses(true, close);
  useLayoutEffect(() => {
    const [element, button] = [popover.current, anchor.current];
    if (!element || !button) return undefined;
    const release = showBeside(element, button);
    opened(element);
    return release;
  }, [anchor]);
  const props: ComponentProps<'div'> = {
    id,
    role: kind,
    'aria-label': label,
    popover: 'auto',
    tabIndex: -1,
    className: `popover ${className}`,
    onToggle: (event) => event.target === event.currentTarget && event.newState === 'closed' && onClose(),
    onBlur({ currentTarget, relatedTarget }: FocusEvent) {
      if (!relatedTarget || currentTarget.contains(relatedTarget)) return;
      // The click on a pressed anchor closes it.
      if (relatedTarget !== anchor.current || !anchor.current.matches(':active')) onClose();
    },
    onKeyDown(event) {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        close();
      } else onKeyDown(event);
    },
  };
  return (
    <div ref={popover} {...props}>
      {children}
    </div>
  );
}

/** Shows a popover beside its anchor, also when the page moves. Returns what ends that. */
export function showBeside(element: HTMLElement, anchor: HTMLElement): () => void {
  element.showPopover();
  return CSS.supports('position-area', 'block-end') ? tie(element, anchor) : follow(element, anchor);
}

/** CSS anchor positioning; popover.css has the sides. */
function tie(element: HTMLElement, anchor: HTMLElement): () => void {
  const name = `--anchor-${CSS.escape(element.id)}`;
  anchor.style.setProperty('anchor-name', name);
  element.style.setProperty('position-anchor', name);
  return () => anchor.style.removeProperty('anchor-name');
}

/** For browsers without anchor positioning (Firefox before 147, Safari before 26). */
function follow(element: HTMLElement, anchor: HTMLElement): () => void {
  const place = () => {
    const at = anchor.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const left = getComputedStyle(anchor).direction === 'rtl' ? at.right - width : at.left;
    const below = at.bottom + gap;
    const top = below + height > innerHeight - margin ? Math.max(margin, at.top - gap - height) : below;
    // CSS zoom, which enlarges the wall, also scales these lengths.
    const zoom = element.currentCSSZoom ?? 1;
    element.style.left = `${Math.min(Math.max(margin, left), innerWidth - width - margin) / zoom}px`;
    element.style.top = `${top / zoom}px`;
  };
  place();
  const sizes = new ResizeObserver(place);
  sizes.observe(element);
  sizes.observe(document.documentElement);
  return () => sizes.disconnect();
}
