import type { ReactNode } from 'react';
import '../map.css';

interface MapNoticeProps {
  text: ReactNode;
  /** Where it is. */
  className?: string;
  /** Appears only if it is shown for a while. */
  delayed?: boolean;
  action?: string | undefined;
  onAction?: (() => void) | undefined;
}

/** A message of the map, by default at the top of its free part, with an action. */
export function MapNotice({ text, className = 'map-notice', action, delayed = false, onAction }: MapNoticeProps) {
  return (
    <output className={`quiet ${className}${delayed ? ' appears-late' : ''}`}>
      {text}
      {action && (
        <button type="button" className="map-notice-action" onClick={onAction}>
          {action}
        </button>
      )}
    </output>
  );
}
