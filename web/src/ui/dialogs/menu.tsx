import { useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { IconButton, type ButtonLook } from '../buttons/button.tsx';
import { Icon, type IconName } from '../symbols/icon.tsx';
import './menu.css';
import { Popover } from './popover.tsx';

export interface MenuItem {
  id: string;
  label: ReactNode;
  icon?: IconName | undefined;
  /** Given: the item is a choice, and on or off. */
  checked?: boolean;
  danger?: boolean | undefined;
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
  'aria-controls': string | undefined;
  onClick(): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  renderTrigger(props: MenuTrigger): ReactNode;
}

/** A menu by the ARIA pattern: arrow keys, Home, End, first letters, Esc. */
export function Menu({ label, items, renderTrigger }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);

  const close = () => {
    button.current?.focus();
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!moveFocus({ list: event.currentTarget, key: event.key })) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      {renderTrigger({
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => (open ? close() : setOpen(true)),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      {open && (
        <Popover
          id={id}
          kind="menu"
          label={label}
          anchor={button}
          className="menu"
          onOpen={(list) => moveFocus({ list, key: 'Home' })}
          onClose={() => setOpen(false)}
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
              className={`line hoverable menu-item${item.danger ? ' menu-danger' : ''}`}
              onClick={() => {
                if (item.disabled) return;
                close();
                item.onSelect();
              }}
            >
              {item.checked !== undefined && (
                <span className="menu-check">{item.checked && <Icon name="check" />}</span>
              )}
              {item.icon && <Icon name={item.icon} />}
              <span className="grow one-line">{item.label}</span>
              {item.end}
            </button>
          ))}
        </Popover>
      )}
    </>
  );
}

interface MoreMenuProps extends Pick<ButtonLook, 'look'> {
  label: string;
  items: readonly MenuItem[];
  tabIndex?: 0 | -1;
}

/** A menu behind a button with three dots. */
export function MoreMenu({ label, items, ...look }: MoreMenuProps) {
  return (
    <Menu
      label={label}
      items={items}
      renderTrigger={(button) => <IconButton icon="more" label={label} {...look} {...button} />}
    />
  );
}

interface ItemAtOptions<Item> {
  items: readonly Item[];
  at: number;
  key: string;
}

/** The item that a key moves the focus to: the next, the previous, the first or the last one. */
export function itemAt<Item>({ items, at, key }: ItemAtOptions<Item>): Item | undefined {
  const last = items.length - 1;
  const steps: Record<string, number> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  return items[steps[key] ?? -1];
}

/** Moves the focus in a menu. Returns whether the key does that. */
function moveFocus({ list, key }: { list: HTMLElement; key: string }): boolean {
  const items = [...list.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  let next = itemAt({ items, at, key });
  if (!next && key.length === 1 && key !== ' ') {
    const from = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    next = from.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
  }
  next?.focus();
  return next !== undefined;
}
