import type { ReactNode } from 'react';
import './empty.css';
import { Icon, type IconName } from '../symbols/icon.tsx';
import { useFocusRestore } from '../browser/use-focus-restore.ts';

interface EmptyProps {
  icon: IconName;
  title: string;
  text?: ReactNode;
  level?: 1 | 2 | 3;
  children?: ReactNode;
}

/**
 * An empty state or an error: what happened and what to do. `children` are the actions. When the pressed one is removed, the
 * page gets the focus.
 */
export function Empty({ icon, title, text, level = 2, children }: EmptyProps) {
  const Heading = `h${level}` as const;
  const focusRestore = useFocusRestore(() => document.querySelector('main')?.focus({ preventScroll: true }));
  return (
    <div className="empty" {...focusRestore}>
      <span className="center empty-icon">
        <Icon name={icon} size={20} />
      </span>
      <Heading className="empty-title">{title}</Heading>
      {text && <p className="empty-text">{text}</p>}
      {children}
    </div>
  );
}
