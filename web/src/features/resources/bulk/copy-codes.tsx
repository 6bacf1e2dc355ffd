import { inviteLink } from '../../../api/invite-link.ts';
import { LabelChoice, useCodeLabel } from '../../../bulk/code-label.tsx';
import { t } from '../../../text/text.ts';
import { useCopy } from '../../../ui/copy-button.tsx';
import { textsOf, type DeviceAction } from './device-action.tsx';

/** Sends nothing. */
export const copyCodes: DeviceAction = {
  name: 'copy_codes',
  texts: textsOf('copy_codes'),
  icon: 'copy',
  isDangerous: false,
  Dialog({ items, render }) {
    const text = t.bulk.actions.copy_codes;
    const copy = useCopy(text.blocked);
    const labels = useCodeLabel();
    const codes = () =>
      items.map(({ id, user_id, name }) =>
        inviteLink({ origin: location.origin, to: user_id, resource_id: id, label: labels.labelOf(name) }),
      );
    return render({
      concerned: { count: items.length, others: 0 },
      fields: <LabelChoice labels={labels} />,
      summary: null,
      run: () => copy(codes().join('\n'), text.done(items.length)),
    });
  },
};
