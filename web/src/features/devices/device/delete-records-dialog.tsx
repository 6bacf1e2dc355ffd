import { DeletedRecords } from '../../../shared/deleted-records.tsx';
import { t } from '../../../text/text.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { useDevice } from './device-state.ts';

/** Asks before a save deletes what was recorded. */
export function DeleteRecordsDialog() {
  const { resource } = useDevice('shown');
  const { deletes, isAsking, setAsking } = useDevice('question');
  const { saveNow } = useDevice('saving');
  if (!isAsking) return null;
  const say = t.device.records;
  return (
    <ConfirmDialog
      title={say.title}
      description={say.text}
      confirm={say.save}
      onConfirm={() => void saveNow()}
      onClose={() => setAsking(false)}
    >
      <DeletedRecords resource_id={resource.id} fields={deletes} />
    </ConfirmDialog>
  );
}
