import type { ReactNode } from 'react';
import './chip.css';
import { Icon } from './icon.tsx';

interface ChipProps {
  label: ReactNode;
  /** The number of matches; null while it is unknown, which reserves its space. */
  count?: string | null | undefined;
  icon?: ReactNode;
  pressed: boolean;
  /** Shows a cross while it is on, because a click removes the filter. */
  clearable?: boolean;
  onToggle(): void;
}

/** A filter that is on or off. */
export function Chip({ label, count, icon, pressed, clearable = true, onToggle }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={pressed} onClick={onToggle}>
      {icon}
      {label}
      {count !== undefined && (
        <span className="chip-count muted numbers">{count ?? <i className="chip-loading" />}</span>
      )}
      {pressed && clearable && <Icon name="close" size={14} />}
    </button>
  );
}

/** A small label beside a name, such as "Public". */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="quiet tag numbers">{children}</span>;
}
