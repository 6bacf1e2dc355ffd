import { useState } from 'react';
import type { ApiKey, Resource } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Rich } from '../../ui/rich.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { RevokeKey } from './keys.tsx';
import { phoneKeyName } from './phone-dialog.tsx';

/** What the phones share that report as this device, and until when. */
export function Sharing({ device, keys }: { device: Resource; keys: ApiKey[] }) {
  const now = useNow();
  const [stopping, setStopping] = useState<ApiKey | null>(null);
  const phones = keys.filter(
    ({ name, expires_at }) => name === phoneKeyName && !(expires_at !== undefined && Date.parse(expires_at) <= now),
  );
  const texts = t.connect.phone;
  return (
    <>
      {phones.map((key) => (
        <div key={key.id} className="box-row line wraps spread">
          <p>
            {key.expires_at === undefined ? (
              texts.shares
            ) : (
              <Rich text={texts.shares_until} date={<Time at={key.expires_at} form="date" />} />
            )}
            {device.keep_track && ` ${texts.shares_track}`}
          </p>
          <Button size="small" onClick={() => setStopping(key)}>
            {texts.stop}
          </Button>
        </div>
      ))}
      {stopping && (
        <RevokeKey
          apiKey={stopping}
          texts={{ title: texts.stop_title, text: texts.stop_text, confirm: texts.stop, done: texts.stopped }}
          onClose={() => setStopping(null)}
        />
      )}
    </>
  );
}
