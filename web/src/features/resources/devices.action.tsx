import { registerAction } from '../../api/action-kinds.ts';
import { actionLabels } from '../../bulk/action-labels.tsx';
import { t } from '../../text/text.ts';

registerAction('update', {
  ...actionLabels(
    () => t.bulk.kinds.update,
    (_about, item) => ({ name: item?.name ?? '' }),
  ),
  changes: () => [{ type: 'devices.changed', data: {} }],
});

registerAction('delete', {
  ...actionLabels(
    () => t.bulk.kinds.delete,
    (_about, item) => ({ name: item?.name ?? '' }),
  ),
  targets: ({ id }) => [`resource:${id}`],
  changes: ({ items = [], total, failed }) =>
    failed > 0 || items.length < total
      ? [{ type: 'devices.changed', data: {} }]
      : items.map(({ id }) => ({ type: 'resource.destroyed', data: { id } })),
});
