import type { ActionItem, ActionOf } from '@swarmdeck/bff/contract';
import { registerAction } from '../../../api/action-kinds.ts';
import type { Change } from '../../../api/changes.ts';
import { actionLabels } from '../../../bulk/action-labels.tsx';
import { t } from '../../../text/text.ts';

const targets = ({ id, other_id }: ActionItem<'withdraw'>) => [
  `invitation:${id}`,
  ...(other_id === undefined ? [] : [`invitation:${other_id}`]),
];
const changes = (): Change[] => [{ type: 'invitations.changed', data: {} }];
const names = (_about: object, item?: ActionItem<'withdraw'>) => ({ to: item?.name ?? '' });

const labels = actionLabels<'withdraw'>(() => t.board.kinds.withdraw, names);
const labelsOfRequests = actionLabels<'withdraw'>(
  () => t.requests.withdraw,
  (_about, item) => ({ device: item?.name ?? '' }),
);
const labelsOf = ({ items }: ActionOf<'withdraw'>) =>
  items?.length && items.every(({ is_request }) => is_request) ? labelsOfRequests : labels;

registerAction('withdraw', {
  label: (action) => labelsOf(action).label(action),
  doneLabel: (action, changed) => labelsOf(action).doneLabel(action, changed),
  failedLabel: (action) => labelsOf(action).failedLabel(action),
  targets,
  changes,
});
registerAction('invite_again', { ...actionLabels(() => t.board.kinds.invite_again, names), targets, changes });
