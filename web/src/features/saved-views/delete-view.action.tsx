import { registerAction } from '../../api/action-kinds.ts';
import { actionLabels } from '../../bulk/action-labels.tsx';
import { t } from '../../text/text.ts';

registerAction('delete_view', {
  ...actionLabels(
    () => t.bulk.kinds.delete_view,
    (_about, item) => ({ name: item?.name ?? '' }),
  ),
  targets: ({ id }) => [`view:${id}`],
  changes: () => [{ type: 'saved_views.changed', data: {} }],
});
