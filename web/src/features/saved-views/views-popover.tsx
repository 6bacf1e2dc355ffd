import { useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { t } from '../../text/text.ts';
import { useLayer } from '../../ui/layers.ts';
import { placePopover } from '../../ui/menu-behaviour.ts';

/** The views beside their button, over the page; open for as long as it is rendered. The browser closes it by Esc and by a click elsewhere. */
export function ViewsPopover({
  id,
  anchor,
  onClose,
  children,
}: {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  children: ReactNode;
}) {
  const popover = useRef<HTMLDialogElement>(null);
  useLayer(true, () => {
    anchor.current?.focus();
    onClose();
  });
  useLayoutEffect(() => {
    const [element, button] = [popover.current, anchor.current];
    if (!element || !button) return undefined;
    element.showPopover();
    const place = () => placePopover({ popover: element, anchor: button });
    place();
    const sizes = new ResizeObserver(place);
    sizes.observe(element);
    sizes.observe(document.documentElement);
    return () => sizes.disconnect();
  }, [anchor]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      anchor.current?.focus();
      onClose();
      event.preventDefault();
    }
    // keys of the page behind stay there, but for the one that undoes
    if (event.key !== 'z' && !event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  return (
    <dialog
      ref={popover}
      id={id}
      tabIndex={-1}
      aria-label={t.views.title}
      popover="auto"
      className="views-popover"
      onKeyDown={onKeyDown}
      onToggle={(event) => event.target === event.currentTarget && event.newState === 'closed' && onClose()}
    >
      <h2 className="views-title">{t.views.title}</h2>
      {children}
    </dialog>
  );
}
