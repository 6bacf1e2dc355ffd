import { useDeviceEdits } from '../../../data/outbox/device-outbox.ts';
import { joinList, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import './save-buttons.css';
import { useDeviceDraft } from './use-device-editor.tsx';
import { useDeviceSaving } from './use-device-saving.ts';
import { useShownDevice } from './use-shown-device.ts';

export const deviceFormId = 'device-form';

/**
 * The state of the changes, Undo and Save. They keep their place in every state. Save belongs to the form, so Enter in a
 * field presses it.
 */
export function SaveButtons() {
  const { changed, contested, undo } = useDeviceDraft();
  const { isSaving, isUnsent } = useDeviceSaving();
  const count = changed.length;
  return (
    <div className="line gap-3 save-buttons">
      <output
        className={contested.length > 0 || isUnsent ? 'save-state quiet save-state-contested' : 'save-state quiet'}
      >
        {useSaveText()}
      </output>
      <Button disabled={count === 0 || isSaving} focusableWhenDisabled onClick={undo}>
        {t.device.page.discard}
      </Button>
      <Button
        look="primary"
        disabled={count === 0}
        focusableWhenDisabled
        busy={isSaving}
        type="submit"
        form={deviceFormId}
      >
        {t.device.page.save}
      </Button>
    </div>
  );
}

function useSaveText(): string {
  const { page, form } = t.device;
  const { resource } = useShownDevice();
  const { changed, contested } = useDeviceDraft();
  const { outcome, isUnsent } = useDeviceSaving();
  const waits = useDeviceEdits(resource.user_id, resource.id).length > 0;
  if (isUnsent) return page.not_saved;
  if (contested.length > 0) return page.also_elsewhere(joinList(contested.map((field) => form[field])));
  if (changed.length > 0) return page.fields_changed(changed.length);
  if (waits) return page.postponed;
  return outcome === 'saved' ? page.saved : '';
}
