import { useConnectionStatus } from '../data/stream/connection-status.ts';
import { t } from '../text/text.ts';
import { Icon } from '../ui/symbols/icon.tsx';
import { readsHeights } from '../ui/browser/measured-height.ts';
import './connection-badge.css';

/** Is shown while the live stream is disconnected. */
export function ConnectionBadge() {
  const { isDisconnected } = useConnectionStatus();
  return (
    <output ref={readsHeights} className="line connection-badge">
      {isDisconnected && (
        <>
          <Icon name="cloud-off" size={16} />
          {t.shell.not_live}
        </>
      )}
    </output>
  );
}
