import type { CSSProperties, ReactNode } from 'react';
import { isRightToLeft } from '../../../text/language.ts';
import { t } from '../../../text/text.ts';
import type { Insets } from '../geometry/view.ts';
import '../map.css';

interface MapShellProps {
  insets: Insets;
  placing: boolean;
  /** Placing has no marker yet. */
  cross?: boolean;
  small?: boolean;
  children: ReactNode;
}

/** The container of a map and the elements over it (controls, credits, notices), which stay in the free part. */
export function MapShell({ insets, placing, cross = false, small = false, children }: MapShellProps) {
  const { top, right, bottom, left } = insets;
  const [start, end] = isRightToLeft ? [right, left] : [left, right];
  const style = {
    '--map-top': `${top}px`,
    '--map-bottom': `${bottom}px`,
    '--map-start': `${start}px`,
    '--map-end': `${end}px`,
  } as CSSProperties;
  return (
    <div className={`map${placing ? ' map-placing' : ''}${small ? ' map-small' : ''}`} style={style}>
      {children}
      {placing && <span className={cross ? 'map-cross map-cross-shown' : 'map-cross'} />}
      <p className="map-credits">{t.map.credits}</p>
    </div>
  );
}
