import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { inviteLink } from '../../../api/memberships.ts';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/rich.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { textsOf } from './device-action.tsx';
import type { DeviceAction, SelectedDevice } from './device-action.tsx';
import './print-codes.css';

/** Browsers lay out all pages before they print the first one. */
const mostCodes = 1000;

type LabelSize = keyof (typeof t)['bulk']['label_sizes'];
/** Labels on one A4 page. */
const perPage: Record<LabelSize, number> = { large: 6, medium: 12, small: 30 };

/** Sends nothing: prints the invite codes as a sheet of labels. */
export const printCodes: DeviceAction = {
  name: 'print_codes',
  texts: textsOf('print_codes'),
  icon: 'qr',
  isDangerous: false,
  Dialog({ items, render }) {
    const [size, setSize] = useState<LabelSize>('medium');
    const count = Math.min(items.length, mostCodes);
    return render({
      concerned: { count, others: items.length - count },
      fields: (
        <Segmented<LabelSize>
          label={t.bulk.label_size}
          value={size}
          options={(['large', 'medium', 'small'] as const).map((value) => ({
            value,
            label: t.bulk.label_sizes[value],
          }))}
          onChange={setSize}
        />
      ),
      summary: <p className="bulk-others">{t.bulk.pages(Math.ceil(count / perPage[size]))}</p>,
      run: () => print(items.slice(0, mostCodes), size),
    });
  },
};

/** While the sheet is in the document, only it is printed. */
function print(devices: readonly SelectedDevice[], size: LabelSize): void {
  const host = document.createElement('div');
  host.className = 'print-sheet';
  document.body.append(host);
  const root = createRoot(host);
  flushSync(() => root.render(<Labels devices={devices} size={size} />));
  addEventListener(
    'afterprint',
    () => {
      root.unmount();
      host.remove();
    },
    { once: true },
  );
  globalThis.print();
}

/** As in the list. */
const byName = (one: SelectedDevice, other: SelectedDevice) =>
  one.name.localeCompare(other.name, undefined, { numeric: true });

function Labels({ devices, size }: { devices: readonly SelectedDevice[]; size: LabelSize }) {
  return (
    <ul className={`print-labels print-labels-${size}`}>
      {devices.toSorted(byName).map(({ id, user_id, name }) => (
        <li key={id}>
          <QrCode
            text={inviteLink({ origin: location.origin, to: user_id, resource_id: id })}
            label={t.invite_code.qr}
          />
          <b>
            <Bdi>{name}</Bdi>
          </b>
          <code dir="ltr">
            {id.slice(0, 8)}…{id.slice(-4)}
          </code>
        </li>
      ))}
    </ul>
  );
}
