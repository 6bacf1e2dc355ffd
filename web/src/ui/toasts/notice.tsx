import type { ReactNode, Ref } from 'react';
import { Icon, type IconName } from '../symbols/icon.tsx';
import './notice.css';

/** `soft`: calls attention to something that is no problem, such as who will see a device. */
export type NoticeTone = 'plain' | 'soft' | 'warn' | 'bad';

interface NoticeProps {
  icon?: IconName;
  tone?: NoticeTone;
  title: ReactNode;
  text?: ReactNode;
  /** Buttons. */
  children?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** How a notice looks, wherever it is shown. */
export function Notice({ icon, tone = 'plain', title, text, children, ref }: NoticeProps) {
  return (
    <div ref={ref} className={`line gap-3 wraps notice notice-${tone}`}>
      {icon && <Icon name={icon} size={20} />}
      <div className="notice-words">
        <p className="strong">{title}</p>
        {text && <p className="quiet numbers">{text}</p>}
      </div>
      {children && <div className="line gap-3 to-end">{children}</div>}
    </div>
  );
}

/** A note in a page or form: an error or a hint. */
export function Note({ icon, tone = 'plain', children }: { icon?: IconName; tone?: NoticeTone; children: ReactNode }) {
  return (
    <div className={`note note-${tone}`}>
      {icon && <Icon name={icon} />}
      <div className="fill note-words">{children}</div>
    </div>
  );
}
