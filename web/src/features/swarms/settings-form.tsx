import { useState, type ReactNode } from 'react';
import type { ConflictFound } from '../../data/forms/merge-fields.ts';
import { useMergedForm, type MergedForm } from '../../data/forms/merged-form.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { DiscardQuestion } from '../../ui/dialogs/dialog.tsx';
import { useErrorFocus } from '../../ui/fields/field.tsx';
import { FormError } from '../../ui/fields/form-error.tsx';
import { Note } from '../../ui/toasts/notice.tsx';
import { pageFoot } from '../../ui/pages/page-foot.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import './settings-form.css';
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

/** The settings of a swarm while a user edits them, and how they are saved. */
export function useSettingsForm(read: SwarmRead) {
  const save = useSaveSettings(read.swarm.id);
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
  return { inputs, saving: { ...saving, error: save.error } };
}

type SettingsState = ReturnType<typeof useSettingsForm>;

interface SettingsFormProps extends SettingsState {
  swarm: SwarmRead['swarm'];
}

/** Name, description and visibility. `swarm` as the server has it. Only its owner saves it. */
export function SettingsForm({ swarm, inputs, saving }: SettingsFormProps) {
  const mine = swarm.relation === 'owner';
  const { form, setForm, changed, errors, setErrors } = inputs;
  const ref = useErrorFocus(errors);
  const isAtFields = Object.keys(errorsOf(saving.error)).length > 0;
  const change = (next: Partial<SwarmValues>) => {
    setForm((now) => ({ ...now, draft: { ...now.draft, ...next } }));
    if (Object.keys(errors).length > 0) setErrors({});
  };
  const publishes = !form.base.public && form.draft.public;
  return (
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
      <SwarmFields
        isExisting
        values={form.draft}
        errors={errors}
        changed={changed}
        notes={{
          ...(publishes && publishingNote(membersOfOthers(swarm))),
          ...contestedNotes(form, (field) => setForm((now) => withTheirs(now, field))),
        }}
        onChange={change}
      />
      <FormError error={!isAtFields && saving.error} unsent={saving.isUnsent} />
      <SaveLine mine={mine} inputs={inputs} saving={saving} />
    </form>
  );
}

function SaveLine({ mine, inputs: { changed, undo }, saving }: SettingsState & { mine: boolean }) {
  const [isDiscarding, setDiscarding] = useState(false);
  const discard = () => {
    setDiscarding(false);
    undo();
  };
  return (
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
      {isDiscarding && <DiscardQuestion onDiscard={discard} onStay={() => setDiscarding(false)} />}
      <output className="settings-state quiet numbers">
        {changed.length > 0
          ? t.swarms.settings.changed(changed.length)
          : saving.outcome === 'saved' && t.swarms.settings.saved}
      </output>
    </div>
  );
}

type Notes = Partial<Record<SwarmField, ReactNode>>;

const membersOfOthers = ({ member_count, own }: SwarmRead['swarm']) =>
  member_count - own.producer - own.consumer - own.both;

/** Who is notified when the swarm becomes public. */
function publishingNote(others: number): Notes {
  if (others <= 0) return {};
  return {
    public: (
      <Note tone="soft" icon="eye">
        {t.swarms.settings.publishes(others)}
      </Note>
    ),
  };
}

/** What both sides have changed, with the value of the other one. */
function contestedNotes({ contested, base }: Form, onTake: (field: SwarmField) => void): Notes {
  const notes = contested.map((field): [SwarmField, ReactNode] => [
    field,
    <Contested key={field} theirs={showSwarmField(field, base)} onTake={() => onTake(field)} />,
  ]);
  return Object.fromEntries(notes);
}

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

/** The form with the other side's value of a contested field. */
function withTheirs(form: Form, field: SwarmField): Form {
  return {
    ...form,
    draft: { ...form.draft, [field]: form.base[field] },
    contested: form.contested.filter((other) => other !== field),
  };
}
