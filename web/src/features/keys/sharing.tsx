import { useState } from 'react';
import type { ApiKey, Resource } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { Time, useNow } from '../../ui/texts/time.tsx';
import { RevokeDialog } from './keys.tsx';
import { endOf, phoneKeys, useStopSharing } from './keys.api.ts';

/**
 * What phones share that report as this device, and until when. They may have several keys, of which nobody can tell which
 * a phone uses: to stop revokes all.
 */
export function Sharing({ device, keys }: { device: Resource; keys: ApiKey[] }) {
  const now = useNow();
  const [isStopping, setStopping] = useState(false);
  const stop = useStopSharing();
  const phones = phoneKeys(keys, now);
  const end = Math.max(...phones.map(endOf));
  const texts = t.connect.phone;
  return (
    <>
      {phones.length > 0 && (
        <div className="box-row line wraps spread">
          <p>
            {end === Infinity ? (
              texts.shares
            ) : (
              <Rich text={texts.shares_until} date={<Time at={new Date(end).toISOString()} form="date" />} />
            )}
            {device.keep_track && ` ${texts.shares_track}`}
          </p>
          <Button size="small" onClick={() => setStopping(true)}>
            {texts.stop}
          </Button>
        </div>
      )}
      {isStopping && (
        <RevokeDialog
          title={texts.stop_title}
          description={texts.stop_text}
          confirm={texts.stop}
          done={texts.stopped}
          revoke={stop}
          id={device.id}
          onClose={() => setStopping(false)}
        />
      )}
    </>
  );
}
