import { useQuery } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import type { Resource } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { useNavigationRequest } from '../../ui/urls/use-navigation-request.ts';
import { deviceKeysQuery } from './keys.api.ts';
import { KeyTable } from './keys.tsx';
import { SectionState } from '../../shared/section-state.tsx';
import { Connect } from './connect.tsx';
import type { DeviceRights } from './connect-code.tsx';
import { PhoneDialog } from './phone-dialog.tsx';
import { Sharing } from './sharing.tsx';

interface DeviceKeysBoxProps extends Pick<ComponentProps<typeof Connect>, 'AddToSwarm'> {
  device: Resource;
  rights: DeviceRights;
}

/** The keys that act only for the user's own device. */
export function DeviceKeysBox({ device, rights, AddToSwarm }: DeviceKeysBoxProps) {
  const query = useQuery(deviceKeysQuery(device.id));
  const [isConnecting, setConnecting] = useState(false);
  const [isSharing, setSharing] = useState(false);
  useNavigationRequest('connect', () => setConnecting(true));
  return (
    <Box
      title={t.connect.title}
      count={query.data && formatNumber(query.data.length)}
      action={
        <div className="line wraps">
          <Button size="small" onClick={() => setSharing(true)}>
            {t.connect.phone.action}
          </Button>
          <Button size="small" icon="plus" onClick={() => setConnecting(true)}>
            {t.connect.action}
          </Button>
        </div>
      }
    >
      <SectionState query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <p className="box-row quiet">{t.connect.none}</p>
          ) : (
            <>
              <Sharing device={device} keys={keys} />
              <KeyTable label={t.connect.title} keys={keys} />
            </>
          )
        }
      </SectionState>
      {isConnecting && (
        <Connect device={device} rights={rights} AddToSwarm={AddToSwarm} onClose={() => setConnecting(false)} />
      )}
      {isSharing && <PhoneDialog device={device} onClose={() => setSharing(false)} />}
    </Box>
  );
}
