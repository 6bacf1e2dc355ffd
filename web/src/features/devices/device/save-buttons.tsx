import { deviceMerge, type DeviceField } from '../../../data/forms/device-fields.ts';
import { useDeviceEdits } from '../../../data/outbox/device-outbox.ts';
import { joinList } from '../../../text/formats.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import './save-buttons.css';
import { useDevice } from './device-state.ts';

export const deviceFormId = 'device-form';

/**
 * The state of the changes, Undo and Save. They keep their place in every state. Save belongs to the form, so Enter in a
 * field presses it.
 */
export function SaveButtons() {
  const { changed } = useDevice('draft');
  const { isSaving, setDiscarding } = useDevice('saving');
  const { text, warns } = useSaveState();
  const count = changed.length;
  return (
    <div className="line gap-3 save-buttons">
      <output className={warns ? 'save-state quiet save-state-warn' : 'save-state quiet'}>{text}</output>
      <Button disabled={count === 0 || isSaving} focusableWhenDisabled onClick={() => setDiscarding(true)}>
        {t.shell.kit.discard}
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

function useSaveState(): { text: string; warns?: boolean } {
  const { page, form } = t.device;
  const { resource } = useDevice('shown');
  const { changed, contested } = useDevice('draft');
  const { outcome, isUnsent } = useDevice('saving');
  const edits = useDeviceEdits(resource.user_id, resource.id);
  const refused = edits.filter(({ failure }) => failure).flatMap(({ task }) => deviceMerge.changed(task.change));
  const labels = (fields: readonly DeviceField[]) => joinList(fields.map((field) => form[field]));
  if (isUnsent) return { text: page.not_saved, warns: true };
  if (contested.length > 0) return { text: page.also_elsewhere(labels(contested)), warns: true };
  if (changed.length > 0) return { text: page.fields_changed(changed.length) };
  if (refused.length > 0) return { text: page.not_sent(labels(refused)), warns: true };
  if (edits.length > 0) return { text: page.postponed };
  return { text: outcome === 'saved' ? page.saved : '' };
}
