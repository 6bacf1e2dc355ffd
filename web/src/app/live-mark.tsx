import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../text/text.ts';
import { Icon } from '../ui/icon.tsx';
import './live-mark.css';
import { startLive } from './live.ts';

/** Runs the live stream, and shows a small mark while it is disconnected. */
export function LiveMark({ user_id }: { user_id: string }) {
  const client = useQueryClient();
  const [lost, setLost] = useState(false);
  useEffect(() => startLive({ client, user_id, changed: (state) => setLost(state === 'lost') }), [client, user_id]);
  return (
    <output className="live-mark">
      {lost && (
        <>
          <Icon name="cloud-off" size={16} />
          {t.shell.not_live}
        </>
      )}
    </output>
  );
}
