import type { ReactNode } from 'react';
import './empty.css';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  icon: IconName;
  title: string;
  text?: ReactNode;
  level?: 1 | 2 | 3;
  children?: ReactNode;
}

/** An empty state or an error: what happened and what to do. `children` are the actions. */
export function Empty({ icon, title, text, level = 2, children }: EmptyProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="empty">
      <span className="center empty-icon">
        <Icon name={icon} size={20} />
      </span>
      <Heading className="empty-title">{title}</Heading>
      {text && <p className="empty-text">{text}</p>}
      {children}
    </div>
  );
}
