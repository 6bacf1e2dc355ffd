import { useState, type ReactNode } from 'react';
import type { ConflictFound } from '../../data/forms/merge-fields.ts';
import { useMergedForm, type MergedForm } from '../../data/forms/merged-form.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { LeaveDialog } from '../../ui/confirm-dialog.tsx';
import { DiscardQuestion } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Note } from '../../ui/notice.tsx';
import { pageFoot } from '../../ui/page-foot.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { useErrorFocus } from '../../ui/field.tsx';
import { useLeaveGuard } from '../../ui/use-leave-guard.ts';
import { BlockedUsers } from './requests/blocked-users.tsx';
import './settings-tab.css';
import { showSwarmField, SwarmFields } from './swarm-fields.tsx';
import {
  checkSwarm,
  errorsOf,
  savedValues,
  swarmMerge,
  valuesOf,
  type SwarmField,
  type SwarmValues,
} from './swarm-form.ts';
import { useSaveSettings } from './swarm-writes.api.ts';
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
  const save = useSaveSettings(id);
  const { inputs, saving } = useMergedForm({
    read,
    save,
    formOf,
    follow,
    errorsOf,
    onConflict,
    check: checkSwarm,
    changesOf: (form) => swarmMerge.changed({ base: form.base, mine: savedValues(form) }),
    valuesOf: savedValues,
  });
  const { form, setForm, changed, errors, setErrors, undo } = inputs;
  const ref = useErrorFocus(errors);
  const { base, draft, contested } = form;
  const guard = useLeaveGuard(changed.length > 0, sameTab);
  const [isDiscarding, setDiscarding] = useState(false);
  const isAtFields = Object.keys(errorsOf(save.error)).length > 0;
  const change = (next: Partial<SwarmValues>) => {
    setForm((now) => ({ ...now, draft: { ...now.draft, ...next } }));
    if (Object.keys(errors).length > 0) setErrors({});
  };
  const others = membersOfOthers(read.swarm);
  const contestedNotes = Object.fromEntries(
    contested.map((field): [SwarmField, ReactNode] => [
      field,
      <Contested
        key={field}
        theirs={showSwarmField(field, base)}
        onTake={() =>
          setForm((now) => ({
            ...now,
            draft: { ...now.draft, [field]: now.base[field] },
            contested: now.contested.filter((other) => other !== field),
          }))
        }
      />,
    ]),
  );
  const publishes = !base.public && draft.public && others > 0;
  const notes = {
    ...(publishes && {
      public: (
        <Note tone="soft" icon="eye">
          {t.swarms.settings.publishes(others)}
        </Note>
      ),
    }),
    ...contestedNotes,
  };
  return (
    <div className="page-scroll">
      <div className="swarm-body">
        <form
          ref={ref}
          className="form"
          data-reports-changes
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (mine) saving.save();
          }}
        >
          <div aria-live="polite">
            {!mine && (
              <Note tone="warn" icon="warning">
                {t.swarms.settings.not_yours}
              </Note>
            )}
          </div>
          <SwarmFields isExisting values={draft} errors={errors} changed={changed} notes={notes} onChange={change} />
          <FormError error={!isAtFields && save.error} unsent={saving.isUnsent} />
          <div ref={pageFoot} className="line wraps settings-save above-keyboard">
            {mine && (
              <Button look="primary" type="submit" disabled={changed.length === 0} busy={saving.isSaving}>
                {t.swarms.settings.save}
              </Button>
            )}
            <Button
              disabled={changed.length === 0 || saving.isSaving}
              focusableWhenDisabled
              onClick={() => setDiscarding(true)}
            >
              {t.shell.kit.discard}
            </Button>
            <output className="settings-state quiet numbers">
              {changed.length > 0
                ? t.swarms.settings.changed(changed.length)
                : saving.outcome === 'saved' && t.swarms.settings.saved}
            </output>
          </div>
        </form>
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
      {isDiscarding && (
        <DiscardQuestion
          onDiscard={() => {
            setDiscarding(false);
            undo();
          }}
          onStay={() => setDiscarding(false)}
        />
      )}
      <LeaveDialog
        guard={guard}
        words={t.leaving}
        count={changed.length}
        isSaving={saving.isSaving}
        onSave={mine ? () => saving.save().isDone : undefined}
      />
    </div>
  );
}

const membersOfOthers = ({ member_count, own }: SwarmRead['swarm']) =>
  member_count - own.producer - own.consumer - own.both;

const sameTab = (from: URL, to: URL) =>
  to.pathname === from.pathname && to.searchParams.get('tab') === from.searchParams.get('tab');

function Contested({ theirs, onTake }: { theirs: string; onTake(): void }) {
  return (
    <Note tone="warn" icon="info">
      <Rich text={t.swarms.settings.contested} theirs={<Bdi>{theirs}</Bdi>} />{' '}
      <Button size="row" onClick={onTake}>
        {t.swarms.settings.take_theirs}
      </Button>
    </Note>
  );
}

type Form = MergedForm<SwarmRead, SwarmValues>;

function formOf(read: SwarmRead): Form {
  const values = valuesOf(read.swarm);
  return { seen: read, base: values, draft: values, etag: read.etag, contested: [] };
}

/** Saving detects conflicts. */
function follow(form: Form, read: SwarmRead): Form {
  const theirs = valuesOf(read.swarm);
  const { merged, conflicts } = swarmMerge.merge({ base: form.base, mine: form.draft, theirs });
  if (conflicts.length > 0) return { ...form, seen: read };
  return { ...form, seen: read, base: theirs, draft: merged, etag: read.etag };
}

function onConflict(form: Form, { theirs, merge, base }: ConflictFound<SwarmValues, SwarmRead>): Form {
  const values = valuesOf(theirs.swarm);
  const { merged } = swarmMerge.merge({ base, mine: form.draft, theirs: values });
  const contested = merge.conflicts.map(({ field }) => field);
  return { ...form, base: values, draft: merged, etag: theirs.etag, contested };
}
