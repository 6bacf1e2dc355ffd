import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import type { SavedView } from '@swarmdeck/bff/contract';
import { codePoints, unprintable, viewLimits, visible } from '@swarmdeck/bff/limits';
import { ProblemError, errorParts } from '../../api/problem.ts';
import { formatNumber, problemSentence, t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/notice.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useFaultFocus } from '../../ui/use-fault-focus.ts';
import { savedViewsQuery, useSaveView } from './saved-views.api.ts';
import { SummaryText } from './summary-text.tsx';
import { useViewActions } from './use-view-actions.ts';
import { foldName, suggestName } from './view-summary.ts';
import type { Summarised } from './view-summary.ts';

/** Saves the current view under a name; with `view`, renames it. */
export function ViewForm({ shown, view, onClose }: { shown: Summarised; view?: SavedView; onClose(): void }) {
  const id = useId();
  const toasts = useToasts();
  const actions = useViewActions();
  const save = useSaveView();
  const others = (useQuery(savedViewsQuery).data?.items ?? []).filter((each) => each.id !== view?.id);
  const [name, setName] = useState(() => view?.name ?? suggestName({ shown, taken: others.map((each) => each.name) }));
  const [faults, setFaults] = useState<{ name?: string }>({});
  const form = useFaultFocus(faults);
  const namesake = others.find((each) => foldName(each.name) === foldName(name));
  const taken = faults.name === t.views.form.taken;

  const send = (body: { id?: string; name?: string; url?: string }) =>
    save.mutate(body, {
      onSuccess: () => {
        toasts.show({ title: view ? t.views.form.renamed : t.views.form.saved, icon: 'check' });
        onClose();
      },
      onError: (error) => {
        if (error instanceof ProblemError && error.code === 'saved_view.name_taken')
          setFaults({ name: t.views.form.taken });
      },
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultOf(name) ?? (namesake && t.views.form.taken);
    setFaults(found ? { name: found } : {});
    if (!found) send(view ? { id: view.id, name } : { name, url: shown.url });
  };
  const replace = () => {
    if (!namesake) return;
    actions.undoRemove(namesake);
    send({ id: namesake.id, name, url: shown.url });
  };
  return (
    <Dialog
      size="small"
      title={view ? t.views.form.rename : t.views.form.title}
      description={view ? undefined : <Rich text={t.views.form.shows} summary={<SummaryText shown={shown} />} />}
      onClose={onClose}
      footer={
        <>
          <Button type="submit" form={id} look="primary" sends busy={save.isPending}>
            {t.views.form.save}
          </Button>
          <Button onClick={onClose}>{t.views.form.cancel}</Button>
          {taken && namesake && !view && (
            <span className="dialog-aside">
              <Button busy={save.isPending} onClick={replace}>
                {t.views.form.replace}
              </Button>
            </span>
          )}
        </>
      }
    >
      <form ref={form} id={id} noValidate onSubmit={submit}>
        <TextField
          label={t.views.form.name}
          dir="auto"
          data-autofocus
          autoComplete="off"
          value={name}
          error={faults.name}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setName(event.currentTarget.value);
            if (faults.name) setFaults({});
          }}
        />
        <div role="alert">
          {save.error && !taken && (
            <Note tone="bad" icon="warning">
              {problemSentence(errorParts(save.error))} {t.views.form.kept}
            </Note>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** The server's rules, checked before the request. */
function faultOf(name: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return t.views.form.missing;
  if (!visible.test(trimmed) || unprintable.test(trimmed)) return t.views.form.invisible;
  return codePoints(trimmed) > viewLimits.nameLength
    ? t.views.form.too_long(formatNumber(viewLimits.nameLength))
    : undefined;
}
