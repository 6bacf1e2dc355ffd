import { use } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { Offline } from './environment.tsx';
import { Link } from './router.tsx';

export interface ButtonLook {
  /** `primary` at most once per view; `plain` has a border; `quiet` is text only; `danger` deletes something. */
  look?: 'primary' | 'plain' | 'quiet' | 'accent' | 'danger' | 'danger-primary';
  size?: 'small' | 'row';
  wide?: boolean;
}

interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  icon?: IconName;
  /** Working: the button stays focusable, is announced as busy and ignores clicks. */
  busy?: boolean;
  /** It sends something: while the browser is offline, it looks disabled and ignores clicks. */
  sends?: boolean;
}

/** `focusableWhenDisabled`: for a button that disables itself when it is pressed, so that it keeps the focus. */
type DisabledProps = { focusableWhenDisabled?: boolean };

function buttonClass({ look = 'plain', size, wide }: ButtonLook): string {
  return ['button', `button-${look}`, size && `button-${size}`, wide && 'button-wide'].filter(Boolean).join(' ');
}

export function Button({
  look,
  size,
  wide,
  icon,
  busy,
  sends,
  disabled,
  focusableWhenDisabled = false,
  children,
  onClick,
  ...rest
}: ButtonProps & DisabledProps) {
  const offline = use(Offline) && sends;
  const inert = busy || offline || (disabled && focusableWhenDisabled);
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled && !focusableWhenDisabled}
      aria-busy={busy || undefined}
      aria-disabled={inert || undefined}
      className={buttonClass({ ...(look && { look }), ...(size && { size }), ...(wide && { wide }) })}
      onClick={inert ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  look,
  size,
  icon,
  children,
  ...rest
}: Pick<ButtonLook, 'look' | 'size'> & { icon?: IconName } & Omit<ComponentProps<typeof Link>, 'className'>) {
  return (
    <Link {...rest} className={buttonClass({ ...(look && { look }), ...(size && { size }) })}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

/** The same with one icon: `label` is its name, read aloud and shown as its title. */
export function IconLink({
  icon,
  label,
  ...rest
}: { icon: IconName; label: string } & Omit<ComponentProps<typeof Link>, 'className'>) {
  return (
    <Link {...rest} className={`${buttonClass({ look: 'quiet' })} button-icon`} aria-label={label} title={label}>
      <Icon name={icon} size={20} />
    </Link>
  );
}

/** A button of one icon: `label` is its name, read aloud and shown as its title. */
export function IconButton({
  icon,
  label,
  look = 'plain',
  busy,
  children,
  ...rest
}: Omit<ButtonProps, 'size' | 'wide'> & { icon: IconName; label: string; children?: ReactNode }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      {...(busy ? { 'aria-busy': true } : {})}
      aria-label={label}
      className={`${buttonClass({ look })} button-icon`}
    >
      <Icon name={icon} size={20} />
      {children}
    </button>
  );
}
