import { useState, type FormEvent, type ReactNode } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { useResend } from '../../api/unreachable.ts';
import { isUnreachable } from '../../api/problem.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { LeaveDialog } from '../../ui/confirm-dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Note } from '../../ui/notice.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { useErrorFocus } from '../../ui/field.tsx';
import { useLeaveGuard } from '../../ui/use-leave-guard.ts';
import { BlockedUsers } from './requests/blocked-users.tsx';
import './settings-tab.css';
import { showSwarmField, SwarmFields } from './swarm-fields.tsx';
import {
  checkSwarm,
  errorsOf,
  swarmMerge,
  tidied,
  valuesOf,
  type SwarmErrors,
  type SwarmField,
  type SwarmValues,
} from './swarm-form.ts';
import { useSaveSettings } from './swarm-writes.api.ts';

interface Form {
  /** The latest version that the form has seen. */
  seen: SwarmItem;
  base: SwarmValues;
  mine: SwarmValues;
  etag: string | null;
  /** Fields that both sides have changed. */
  contested: SwarmField[];
}

interface SettingsTabProps {
  swarm: SwarmItem;
  etag: string | null;
  activity: ReactNode;
  managers: ReactNode;
  /** `release` allows leaving without a question about unsaved changes. */
  onDestroy(release: () => void): void;
}

/** Edits name, description and visibility, and deletes the swarm. */
export function SettingsTab({ swarm, etag, activity, managers, onDestroy }: SettingsTabProps) {
  const save = useSaveSettings(swarm.id);
  const [form, setForm] = useState<Form>(() => formOf(swarm, etag));
  const [errors, setErrors] = useState<SwarmErrors>({});
  const ref = useErrorFocus(errors);
  if (form.seen !== swarm && !save.isPending) setForm(follow(form, { swarm, etag }));
  const { base, mine, contested } = form;
  const changed = swarmMerge.changed({ base, mine });
  const guard = useLeaveGuard(changed.length > 0, sameTab);
  const saved = save.data?.kind === 'saved' && changed.length === 0;
  const unsent = isUnreachable(save.error) && changed.length > 0;
  const isAtFields = Object.keys(errorsOf(save.error)).length > 0;

  /** Returns whether everything is saved. */
  const saveMine = async () => {
    const found = checkSwarm(mine);
    setErrors(found);
    if (Object.keys(found).length > 0) return false;
    if (changed.length === 0) return true;
    try {
      const result = await save.mutateAsync({ base, mine: tidied(mine), etag: form.etag });
      const isSaved = result.kind === 'saved';
      setForm((now) => {
        const { values: theirs, etag } = isSaved ? result.read : result.theirs;
        // Input during the save stays.
        const { merged } = swarmMerge.merge({ base: isSaved ? mine : base, mine: now.mine, theirs });
        const contested = isSaved ? [] : result.merge.conflicts.map(({ field }) => field);
        return { ...now, base: theirs, mine: merged, etag, contested };
      });
      return isSaved;
    } catch (error) {
      setErrors(errorsOf(error as Error));
      return false;
    }
  };
  useResend(unsent ? save.submittedAt : null, () => void saveMine());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saveMine();
  };
  const change = (next: SwarmValues) => {
    setForm({ ...form, mine: next });
    if (Object.keys(errors).length > 0) setErrors({});
  };
  const notes = Object.fromEntries(
    contested.map((field): [SwarmField, ReactNode] => [
      field,
      <Contested
        key={field}
        theirs={showSwarmField(field, base)}
        onTake={() =>
          setForm({
            ...form,
            mine: { ...mine, [field]: base[field] },
            contested: contested.filter((other) => other !== field),
          })
        }
      />,
    ]),
  );
  return (
    <div className="page-scroll">
      <div className="swarm-body">
        <form ref={ref} className="form" noValidate onSubmit={submit}>
          <SwarmFields isExisting values={mine} errors={errors} changed={changed} notes={notes} onChange={change} />
          <FormError error={!isAtFields && save.error} unsent={unsent} />
          <div className="line wraps">
            <Button look="primary" type="submit" disabled={changed.length === 0} busy={save.isPending}>
              {t.swarms.settings.save}
            </Button>
            <Button
              disabled={changed.length === 0 || save.isPending}
              onClick={() => {
                save.reset();
                setErrors({});
                setForm(formOf(swarm, etag));
              }}
            >
              {t.swarms.settings.discard}
            </Button>
            <output className="settings-state quiet numbers">
              {changed.length > 0 ? t.swarms.settings.changed(changed.length) : saved && t.swarms.settings.saved}
            </output>
          </div>
        </form>
        {managers}
        <BlockedUsers swarm_id={swarm.id} />
        {activity}
        <div className="line gap-4 wraps spread settings-end">
          <p className="quiet">{t.swarms.settings.delete_text}</p>
          <Button look="danger" icon="trash" onClick={() => onDestroy(guard.release)}>
            {t.swarms.settings.delete}
          </Button>
        </div>
      </div>
      <LeaveDialog guard={guard} words={t.leaving} count={changed.length} onSave={saveMine} />
    </div>
  );
}

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

function formOf(swarm: SwarmItem, etag: string | null): Form {
  const values = valuesOf(swarm);
  return { seen: swarm, base: values, mine: values, etag, contested: [] };
}

/** Updates the form to a newer version. Saving detects conflicts. */
function follow(form: Form, { swarm, etag }: { swarm: SwarmItem; etag: string | null }): Form {
  const theirs = valuesOf(swarm);
  const { merged, conflicts } = swarmMerge.merge({ base: form.base, mine: form.mine, theirs });
  if (conflicts.length > 0) return { ...form, seen: swarm };
  return { ...form, seen: swarm, base: theirs, mine: merged, etag };
}
