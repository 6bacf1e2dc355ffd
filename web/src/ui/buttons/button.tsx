import { use, type ComponentProps, type MouseEvent } from 'react';
import './button.css';
import { Icon, type IconName } from '../symbols/icon.tsx';
import { Offline } from '../browser/offline.ts';
import { Link } from '../urls/router.tsx';

export interface ButtonLook {
  /** `primary` at most once per view; `plain` has a border; `quiet` is text only; `danger` deletes something. */
  look?: 'primary' | 'plain' | 'quiet' | 'accent' | 'danger' | 'danger-primary' | undefined;
  size?: 'small' | 'row' | 'icon' | undefined;
  wide?: boolean | undefined;
}

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  icon?: IconName | undefined;
  /** Working: the button stays focusable, is announced as busy and ignores clicks. */
  busy?: boolean | undefined;
  /** It sends something, so it also `acts`: while the browser is offline, it looks disabled, and a click only explains why. */
  sends?: boolean;
  /** A second click soon after the first one is ignored (second-click.ts). */
  acts?: boolean | undefined;
  /** For a button that disables itself when it is pressed, so that it keeps the focus. */
  focusableWhenDisabled?: boolean;
}

export function buttonClass({ look = 'plain', size, wide }: ButtonLook): string {
  return ['button', `button-${look}`, size && `button-${size}`, wide && 'button-wide'].filter(Boolean).join(' ');
}

export function Button({
  look,
  size,
  wide,
  icon,
  busy,
  sends,
  acts = sends,
  disabled,
  focusableWhenDisabled = false,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const offline = sends ? use(Offline) : null;
  const inert = busy || offline !== null || (disabled && focusableWhenDisabled);
  const ignore = (event: MouseEvent) => {
    event.preventDefault();
    offline?.explain();
  };
  return (
    <button
      type="button"
      data-acts={acts ? '' : undefined}
      {...rest}
      disabled={disabled && !focusableWhenDisabled}
      aria-busy={busy || undefined}
      aria-disabled={inert || undefined}
      {...(offline && { title: offline.reason })}
      className={buttonClass({ look, size, wide })}
      onClick={inert ? ignore : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type LinkProps = Omit<ComponentProps<typeof Link>, 'className'>;

/** A link that looks like a button. */
export function ButtonLink({
  look,
  size,
  icon,
  children,
  ...rest
}: Pick<ButtonProps, 'look' | 'size' | 'icon'> & LinkProps) {
  return (
    <Link {...rest} className={buttonClass({ look, size })}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

interface OneIcon {
  icon: IconName;
  /** The name, shown as the title. As `aria-label` beside it, it would be read twice. */
  label: string;
}

/** A link of one icon. */
export function IconLink({ icon, label, ...rest }: OneIcon & LinkProps) {
  return (
    <ButtonLink {...rest} look="quiet" size="icon" title={label}>
      <Icon name={icon} size={20} />
    </ButtonLink>
  );
}

/** A button of one icon. */
export function IconButton({
  icon,
  label,
  ...rest
}: OneIcon & Omit<ButtonProps, 'icon' | 'size' | 'wide' | 'children'>) {
  return (
    <Button title={label} {...rest} size="icon">
      <Icon name={icon} size={20} />
    </Button>
  );
}
