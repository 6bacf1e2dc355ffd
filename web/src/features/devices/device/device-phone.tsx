import { PageFoot } from '../../../ui/pages/page-foot.tsx';
import { HeadName, JumpButton, PageHead } from '../../../ui/pages/page-head.tsx';
import { PresenceDot, PresenceText, useKnownState } from '../../../ui/symbols/presence.tsx';
import { DeviceMenu, useBack, useDevicePresence } from './device-head.tsx';
import { SaveButtons } from './save-buttons.tsx';
import { useDevice } from './device-state.ts';

/** The header on a phone. */
export function PhoneHead() {
  const { resource } = useDevice('shown');
  const presence = useDevicePresence();
  const state = useKnownState(presence?.state);
  return (
    <PageHead back={useBack()}>
      <div className="fill">
        <HeadName text={resource.name} />
        {presence && state && state !== 'never' && (
          <p className="line quiet">
            <PresenceDot state={state} />
            <span>
              <PresenceText presence={presence} />
            </span>
          </p>
        )}
      </div>
      <JumpButton />
      <DeviceMenu look="quiet" />
    </PageHead>
  );
}

/** Save is at the bottom of a phone, while there is something to save. */
export function PhoneFoot() {
  const { isOwn } = useDevice('shown');
  const { isGone } = useDevice('again');
  const { changed } = useDevice('draft');
  if (!isOwn || isGone || changed.length === 0) return null;
  return (
    <PageFoot className="above-keyboard">
      <SaveButtons />
    </PageFoot>
  );
}
