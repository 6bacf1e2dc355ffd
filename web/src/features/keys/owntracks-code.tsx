import { useQuery } from '@tanstack/react-query';
import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { buttonClass } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/symbols/icon.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { QrCode } from '../../ui/qr/qr-code.tsx';
import { deviceQuery } from '../../data/cache/device-query.ts';
import { RefusedNotes } from '../../shared/refused-notes.tsx';
import { deviceKeysQuery } from './keys.api.ts';
import '../../ui/fields/field-parts.css';
import './owntracks-code.css';

/** In ms, while the user waits for the first report. */
const waitInterval = 2000;

/** Whether the phone has used its new key. */
export function useKeyUse(device_id: string, created: CreatedApiKey) {
  const keys = useQuery({ ...deviceKeysQuery(device_id), refetchInterval: waitInterval });
  const isUsed = keys.data?.some(({ id, last_used_at }) => id === created.id && last_used_at !== undefined) ?? false;
  return { keys, isUsed };
}

interface OwnTracksCodeProps {
  device_id: string;
  created: CreatedApiKey;
  /** The user opens the link. */
  onOpen?(): void;
}

/** The configuration of the app OwnTracks: a link for this phone, and a QR code for another one. */
export function OwnTracksCode({ device_id, created, onOpen }: OwnTracksCodeProps) {
  const { keys, isUsed } = useKeyUse(device_id, created);
  const link = configurationLink({ origin: location.origin, id: device_id, key: created.key });
  return (
    <>
      <a className="link" href="https://owntracks.org/" target="_blank" rel="noreferrer">
        {t.connect.phone.get}
      </a>
      <a className={buttonClass({ look: 'primary' })} href={link} onClick={onOpen}>
        {t.connect.phone.open}
      </a>
      <p className="field-hint muted">{t.connect.phone.scan}</p>
      <div className="owntracks-qr">
        <QrCode quiet text={link} label={t.connect.phone.qr} />
      </div>
      {keys.isError && !isUsed ? (
        <LoadFailedNote title={t.connect.phone.failed} query={keys} />
      ) : (
        <output className={isUsed ? 'line strong' : 'line muted'}>
          <Icon name={isUsed ? 'check' : 'clock'} />
          {isUsed ? t.connect.phone.connected : t.connect.phone.waiting}
        </output>
      )}
      {isUsed && <Refused device_id={device_id} />}
    </>
  );
}

/** Why the server does not use what the phone reports. */
function Refused({ device_id }: { device_id: string }) {
  const device = useQuery(deviceQuery(device_id)).data;
  return device && <RefusedNotes refusals={device.refusals} device={device} />;
}

/** What the app reads when the link is opened: HTTP (mode 3), a report at each significant change (monitoring 1). */
function configurationLink({ origin, id, key }: { origin: string; id: string; key: string }): string {
  const configuration = {
    _type: 'configuration',
    mode: 3,
    monitoring: 1,
    url: `${origin}/service/owntracks`,
    auth: true,
    username: id,
    password: key,
    deviceId: 'phone',
    tid: id.slice(-2),
  };
  return `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`;
}
