import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { useLayer } from './layers.ts';
import { placePopover, stepFocus } from './menu-behaviour.ts';
import './menu.css';

export interface MenuItem {
  id: string;
  label: ReactNode;
  icon?: IconName;
  /** Given: the item is a choice, and on or off. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  /** At the end of the line: a count, a key. */
  end?: ReactNode;
  onSelect(): void;
}

/** Spread on the button that opens the menu. */
interface MenuTrigger {
  ref: RefObject<HTMLButtonElement | null>;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string;
  onClick(): void;
  onKeyDown(event: KeyboardEvent): void;
}

/** A menu by the ARIA pattern: arrows, Home, End, first letters, Esc. The browser's popover keeps it on top. */
export function Menu({
  label,
  items,
  renderTrigger,
}: {
  label: string;
  items: readonly MenuItem[];
  renderTrigger(props: MenuTrigger): ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const show = () => {
    if (!list.current || !button.current) return;
    list.current.showPopover();
    setOpen(true);
    placePopover({ popover: list.current, anchor: button.current });
    stepFocus({ list: list.current, key: 'Home' });
  };
  const hide = () => {
    list.current?.hidePopover();
    setOpen(false);
    button.current?.focus();
  };
  useLayer(open, hide);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') hide();
    else if (!stepFocus({ list: event.currentTarget as HTMLElement, key: event.key })) return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      {renderTrigger({
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': id,
        onClick: () => (open ? hide() : show()),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          show();
        },
      })}
      <div
        ref={list}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        className="menu"
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={item.checked}
            aria-disabled={item.disabled || undefined}
            tabIndex={-1}
            className={`menu-item${item.danger ? ' menu-danger' : ''}`}
            onClick={() => {
              if (item.disabled) return;
              hide();
              item.onSelect();
            }}
          >
            {item.checked !== undefined && <span className="menu-check">{item.checked && <Icon name="check" />}</span>}
            {item.icon && <Icon name={item.icon} />}
            <span className="menu-label">{item.label}</span>
            {item.end}
          </button>
        ))}
      </div>
    </>
  );
}
