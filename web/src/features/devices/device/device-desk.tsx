import type { ReactNode } from 'react';
import { changedAt } from '../../../data/server-clock.ts';
import { t } from '../../../text/text.ts';
import { HeadName, JumpButton, PageHead } from '../../../ui/pages/page-head.tsx';
import { PresenceText } from '../../../ui/symbols/presence.tsx';
import { Rich } from '../../../ui/texts/rich.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import { DeviceMenu, useBack, useDevicePresence } from './device-head.tsx';
import { DevicePlace } from './device-place.tsx';
import { OwnDevice } from './own-device.tsx';
import { SaveButtons } from './save-buttons.tsx';
import { useDevice } from './device-state.ts';

/** The header on a desk: with the facts of the device, and Save. */
export function DeskHead() {
  const { resource } = useDevice('shown');
  const presence = useDevicePresence();
  const { isEditable, isGone } = useDevice('again');
  return (
    <PageHead back={useBack()}>
      <TypeBadge type={resource.machine_type} presence={presence?.state} />
      <div className="fill">
        <HeadName text={resource.name} />
        <p className="quiet one-line">
          {presence && (
            <>
              <PresenceText presence={presence} /> ·{' '}
            </>
          )}
          {!isGone && (
            <>
              <Rich text={t.device.page.changed} age={<Time at={changedAt(resource)} />} /> ·{' '}
            </>
          )}
          <Rich text={t.device.page.added} date={<Time at={resource.created_at} form="date" />} /> · {t.device.page.id}{' '}
          <code dir="ltr">{resource.id}</code>
        </p>
      </div>
      {isEditable && <SaveButtons />}
      <JumpButton />
      <DeviceMenu look="plain" />
    </PageHead>
  );
}

/** Beside the form on a desk: where the device is, and its invite code. */
export function DeskAside({ map, invite }: { map: ReactNode; invite: ReactNode }) {
  return (
    <aside className="stack gap-5 device-aside" aria-label={t.device.form.position}>
      <DevicePlace map={map} />
      <OwnDevice>{invite}</OwnDevice>
    </aside>
  );
}
