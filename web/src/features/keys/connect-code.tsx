import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { sentQuery } from '../../data/cache/sent-messages.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CodeBlock } from '../../ui/texts/code-block.tsx';
import { Icon } from '../../ui/symbols/icon.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Note } from '../../ui/toasts/notice.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { deviceKeysQuery, mqttQuery } from './keys.api.ts';
import { directions, languages, snippets, type Direction, type Language } from './snippets.ts';

/** What the user's device may do in its swarms. */
export interface DeviceRights {
  sends: boolean;
  receives: boolean;
}

/** In ms, while the user waits for the first message. */
const waitInterval = 2000;

interface ConnectCodeProps {
  device_id: string;
  created: CreatedApiKey;
  rights: DeviceRights;
  /** Adds the device to a swarm. */
  onAdd(): void;
}

/** The code that uses a new key, and whether it has worked. */
export function ConnectCode({ device_id, created, rights, onAdd }: ConnectCodeProps) {
  const [direction, setDirection] = useState<Direction>(rights.receives && !rights.sends ? 'receive' : 'send');
  const [language, setLanguage] = useState<Language>('curl');
  const mqtt = useQuery(mqttQuery(device_id)).data;
  const code = snippets[direction][language]({ origin: location.origin, id: device_id, key: created.key, mqtt });
  const may = direction === 'send' ? rights.sends : rights.receives;
  const receives = direction === 'receive';
  // That for Arduino remembers what it has received.
  const more =
    !receives || language === 'arduino' ? '' : language === 'mqtt' ? t.connect.missed : t.connect.stream_ends;
  return (
    <>
      <Segmented
        label={t.connect.direction}
        value={direction}
        options={directions.map((value) => ({ value, label: t.connect.directions[value] }))}
        onChange={(next) => setDirection(next)}
      />
      <Segmented
        label={t.connect.language}
        value={language}
        options={languages
          .filter((value) => value !== 'mqtt' || mqtt !== undefined)
          .map((value) => ({ value, label: t.connect.languages[value] }))}
        onChange={(next) => setLanguage(next)}
      />
      {/* Before the code: behind it, a phone shows them only after scrolling. */}
      {!may && (
        <Note tone="warn" icon="warning">
          {t.connect.no_role[direction]}{' '}
          <Button size="row" onClick={onAdd}>
            {t.device.page.add_to_swarm}
          </Button>
        </Note>
      )}
      {!receives && <FirstMessage device_id={device_id} created={created} />}
      <CodeBlock label={t.connect.code} code={code} hint={`${t.connect.hints[language]} ${more}`} />
    </>
  );
}

/** Says when the new key is used and a message has arrived. The device may also send with an older key. */
function FirstMessage({ device_id, created }: { device_id: string; created: CreatedApiKey }) {
  const sent = useQuery(sentQuery(device_id, () => waitInterval));
  const keys = useQuery({ ...deviceKeysQuery(device_id), refetchInterval: waitInterval });
  const isUsed = keys.data?.some(({ id, last_used_at }) => id === created.id && last_used_at !== undefined);
  const first = isUsed && sent.data?.findLast(({ sent_at }) => sent_at >= created.created_at);
  const failed = [sent, keys].find(({ isError }) => isError);
  if (failed) return <LoadFailedNote title={t.messages.failed} query={failed} />;
  return (
    <output className={first ? 'line strong' : 'line muted'}>
      <Icon name={first ? 'check' : 'clock'} />
      {first ? (
        <span>
          <Rich text={t.connect.connected} age={<Time at={first.sent_at} />} />
        </span>
      ) : (
        t.connect.waiting
      )}
    </output>
  );
}
