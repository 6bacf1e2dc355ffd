import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Params } from 'react-router';
import { useCodeLabel, type CodeLabels } from '../shared/code-label.tsx';
import { accountQuery } from '../shared/account/account.api.ts';
import { DeviceInvitations } from '../features/invitations/device-invitations.tsx';
import { useDeviceRights, useOwnDevice, usePositionMap } from '../features/devices/device/device-parts.ts';
import { DevicePage } from '../features/devices/device/device-page.tsx';
import { InviteCode, PhoneInviteCode } from '../features/swarms/invite/invite-code.tsx';
import { QrDialog, type Invitable } from '../features/swarms/invite/qr-dialog.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { phone, useMedia } from '../ui/browser/media.ts';

const AddToSwarm = lazyPart(
  async () => (await import('../features/devices/bulk/device-selection-menu.tsx')).AddToSwarm,
);
const ActivityBox = lazyPart(async () => (await import('../features/activity/activity-box.tsx')).ActivityBox);
const DeviceKeysBox = lazyPart(async () => (await import('../features/keys/device-keys-box.tsx')).DeviceKeysBox);
const ShareLinksBox = lazyPart(async () => (await import('../features/share-links/share-links-box.tsx')).ShareLinksBox);
const ShareLinksLine = lazyPart(
  async () => (await import('../features/share-links/share-links-line.tsx')).ShareLinksLine,
);
const NewShareLinkDialog = lazyPart(async () => (await import('./new-share-link.tsx')).NewShareLinkDialog);
const SentBox = lazyPart(async () => (await import('../features/messages/sent-box.tsx')).SentBox);
const DeviceValues = lazyPart(async () => (await import('../features/values/device-values.tsx')).DeviceValues);
const PlaceMap = lazyPart(async () => (await import('../features/map/place-map.tsx')).PlaceMap);

export function Component({ id = '' }: Params) {
  return <Device key={id} id={id} />;
}

function Device({ id }: { id: string }) {
  const account = useQuery(accountQuery).data;
  // Not in parts of the page, whose layout changes when the phone is turned.
  const [enlarged, setEnlarged] = useState<Invitable | null>(null);
  const labels = useCodeLabel();
  if (!account) return null;
  return (
    <>
      <DevicePage
        id={id}
        user_id={account.user_id}
        map={<PositionMap />}
        invite={<Invite labels={labels} onEnlarge={setEnlarged} />}
        messages={<Messages />}
        invitations={<DeviceInvitations resource_id={id} />}
        guests={<ShareLinksLine resource_id={id} />}
        activity={<ActivityBox filter={{ resource_id: id }} />}
      />
      {enlarged && <QrDialog of={enlarged} onClose={() => setEnlarged(null)} />}
    </>
  );
}

function PositionMap() {
  return (
    <div className="device-map-frame">
      <PlaceMap {...usePositionMap()} />
    </div>
  );
}

interface InviteProps {
  labels: CodeLabels;
  onEnlarge(device: Invitable): void;
}

function Invite({ labels, onEnlarge }: InviteProps) {
  const device = useOwnDevice();
  const Code = useMedia(phone) ? PhoneInviteCode : InviteCode;
  return <Code {...device} labels={labels} onEnlarge={(label) => onEnlarge({ ...device, label })} />;
}

function Messages() {
  const { device, swarms, ...rights } = useDeviceRights();
  return (
    <>
      <DeviceValues device={device} swarms={swarms} sends={rights.sends} />
      <SentBox device={device} swarms={swarms} {...rights} />
      <DeviceKeysBox device={device} rights={rights} AddToSwarm={AddToSwarm} />
      <ShareLinksBox of={{ resource_id: device.id }} device={device} NewLink={NewShareLinkDialog} />
    </>
  );
}
