import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../text/text.ts';
import { Icon } from '../ui/icon.tsx';
import './connection-badge.css';
import { startLive } from './live.ts';

/** Runs the live stream, and shows a badge while it is disconnected. */
export function ConnectionBadge({ user_id }: { user_id: string }) {
  const client = useQueryClient();
  const [isDisconnected, setIsDisconnected] = useState(false);
  useEffect(
    () => startLive({ client, user_id, onStateChange: (state) => setIsDisconnected(state === 'disconnected') }),
    [client, user_id],
  );
  return (
    <output className="line connection-badge">
      {isDisconnected && (
        <>
          <Icon name="cloud-off" size={16} />
          {t.shell.not_live}
        </>
      )}
    </output>
  );
}
