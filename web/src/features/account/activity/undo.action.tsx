import { registerAction } from '../../../api/action-kinds.ts';
import { t } from '../../../text/text.ts';
import { Rich } from '../../../ui/rich.tsx';
import { ActionSentence } from './action-sentence.tsx';

registerAction('undo', {
  label: ({ about: { kind, of }, total }) => (
    <Rich text={t.activity.actions.undoing} action={<ActionSentence kind={kind} about={of} count={total} />} />
  ),
  doneLabel: ({ about: { kind, of } }, changed) => (
    <Rich text={t.activity.actions.undo} action={<ActionSentence kind={kind} about={of} count={changed} />} />
  ),
  failedLabel: ({ failed }) => t.activity.actions.undo_failed(failed),
  changes: () => [
    { type: 'devices.changed', data: {} },
    { type: 'membership.changed', data: {} },
  ],
});
