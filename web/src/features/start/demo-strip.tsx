import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorSentence } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { Button, type ButtonLook } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/fields/form-error.tsx';
import { useErrorToast, useToasts } from '../../ui/toasts/toast.tsx';
import { demoQuery, useChangeDemo } from './demo.api.ts';
import '../../ui/pages/page-strip.css';
import { nextStepsPreference } from './next-steps.tsx';
import { saidByItself } from '../../ui/dialogs/use-closing.ts';

/** Offers the demo beside the next steps. Once there is one, a button removes it. */
export function DemoStrip({ isStarting, onDemo }: { isStarting: boolean; onDemo(): void }) {
  const demo = useQuery(demoQuery).data;
  const [asking, setAsking] = useState(false);
  if (!demo || (!demo.exists && !isStarting)) return null;
  if (!demo.exists) {
    return (
      <div className="line gap-3 spread quiet page-strip">
        <span>{t.start.demo.ask}</span>
        <AddDemo look="accent" size="row" onShown={onDemo} />
      </div>
    );
  }
  return (
    <div className="line gap-3 spread quiet page-strip">
      <span>{t.start.demo.strip}</span>
      <Button look="accent" size="row" onClick={() => setAsking(true)}>
        {t.start.demo.remove}
      </Button>
      {asking && (
        <RemoveDemo devices={demo.resources.length} swarms={demo.swarms.length} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

export function AddDemo({ onShown, ...look }: ButtonLook & { onShown(): void }) {
  const showError = useErrorToast();
  // List and map show the demo.
  const fill = useChangeDemo({ method: 'POST', onDone: () => nextStepsPreference.set('no'), onShown });
  const press = () => fill.mutate(undefined, { onError: (error) => showError(error, t.start.demo.failed) });
  return (
    <Button {...look} busy={fill.isPending} onClick={press}>
      {fill.isPending ? t.start.demo.filling : t.start.demo.fill}
    </Button>
  );
}

function RemoveDemo({ devices, swarms, onClose }: { devices: number; swarms: number; onClose(): void }) {
  const toasts = useToasts();
  const remove = useChangeDemo({
    method: 'DELETE',
    onDone() {
      toasts.show({ title: t.start.demo.removed, icon: 'check' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t.start.demo.remove_title}
      description={t.start.demo.remove_text(devices, swarms)}
      confirm={remove.isPending ? t.start.demo.removing : t.start.demo.remove}
      busy={remove.isPending}
      outcome={saidByItself}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ErrorNote>{remove.error && `${t.start.demo.not_removed}. ${errorSentence(remove.error)}`}</ErrorNote>
    </ConfirmDialog>
  );
}
