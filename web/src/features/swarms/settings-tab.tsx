import type { ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LeaveDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useLeaveGuard } from '../../ui/pages/use-leave-guard.ts';
import { BlockedUsers } from './requests/blocked-users.tsx';
import { SettingsForm, useSettingsForm } from './settings-form.tsx';
import './settings-tab.css';
import type { SwarmRead } from './swarms.api.ts';

interface SettingsTabProps {
  read: SwarmRead;
  activity: ReactNode;
  managers: ReactNode;
  /** `release` allows leaving without a question about unsaved changes. */
  onDestroy(release: () => void): void;
}

/** Edits name, description and visibility, and deletes the swarm. */
export function SettingsTab({ read, activity, managers, onDestroy }: SettingsTabProps) {
  const { id, relation } = read.swarm;
  const mine = relation === 'owner';
  const { inputs, saving } = useSettingsForm(read);
  const changes = inputs.changed.length;
  const guard = useLeaveGuard(changes > 0, sameTab);
  return (
    <div className="page-scroll">
      <div className="swarm-body">
        <SettingsForm swarm={read.swarm} inputs={inputs} saving={saving} />
        {managers}
        <BlockedUsers swarm_id={id} />
        {activity}
        {mine && (
          <div className="line gap-4 wraps spread settings-end">
            <p className="quiet">{t.swarms.settings.delete_text}</p>
            <Button look="danger" icon="trash" onClick={() => onDestroy(guard.release)}>
              {t.swarms.settings.delete}
            </Button>
          </div>
        )}
      </div>
      <LeaveDialog
        guard={guard}
        words={t.leaving}
        count={changes}
        isSaving={saving.isSaving}
        onSave={mine ? () => saving.save().isDone : undefined}
      />
    </div>
  );
}

const sameTab = (from: URL, to: URL) =>
  to.pathname === from.pathname && to.searchParams.get('tab') === from.searchParams.get('tab');
