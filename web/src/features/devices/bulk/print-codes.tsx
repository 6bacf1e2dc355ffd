import { useState } from 'react';
import { inviteLink } from '../../../data/invite-link.ts';
import { LabelChoice, useCodeLabel } from '../../../shared/code-label.tsx';
import type { SelectionCommand } from '../../../bulk/commands.tsx';
import { t } from '../../../text/text.ts';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { printSheet } from '../../../ui/browser/print-sheet.ts';
import { QrCode } from '../../../ui/qr/qr-code.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { ShortId } from '../../../ui/texts/short-id.tsx';
import type { SelectedDevice } from './read-selected.ts';
import './print-codes.css';

/** Browsers lay out all pages before they print the first one. */
const mostCodes = 1000;

/** Usual sheets of labels. print-codes.css has their sizes. */
type Sheet = keyof (typeof t)['bulk']['sheets'];
const perSheet: Record<Sheet, number> = { a4: 24, letter: 10 };

/** Addresses that other devices cannot open. */
const isLocal = (hostname: string) => /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Sends nothing: prints the invite codes on sheets of labels. */
export const printCodes: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.print_codes,
  atMost: mostCodes,
  Dialog({ items, count: selected, render }) {
    const [sheet, setSheet] = useState<Sheet>('a4');
    const labels = useCodeLabel();
    const count = items.length;
    return render({
      concerned: { count, others: selected - count },
      fields: (
        <>
          <Segmented<Sheet>
            label={t.bulk.sheet}
            value={sheet}
            options={(['a4', 'letter'] as const).map((value) => ({ value, label: t.bulk.sheets[value] }))}
            onChange={setSheet}
          />
          <p className="quiet">{t.bulk.sheet_sizes[sheet]}</p>
          <LabelChoice labels={labels} />
          {isLocal(location.hostname) && (
            <Note tone="warn" icon="warning">
              <Rich text={t.bulk.local_codes} address={<Bdi dir="ltr">{location.origin}</Bdi>} />
            </Note>
          )}
        </>
      ),
      summary: <p className="stack gap-1 muted">{t.bulk.pages(Math.ceil(count / perSheet[sheet]))}</p>,
      run: () => printSheet(<Labels devices={items} sheet={sheet} labelOf={labels.labelOf} />),
    });
  },
};

/** As in the list. */
const byName = (one: SelectedDevice, other: SelectedDevice) =>
  one.name.localeCompare(other.name, undefined, { numeric: true });

interface LabelsProps {
  devices: readonly SelectedDevice[];
  sheet: Sheet;
  /** In the QR code. */
  labelOf(name: string): string;
}

function Labels({ devices, sheet, labelOf }: LabelsProps) {
  const sorted = devices.toSorted(byName);
  const pages = Array.from({ length: Math.ceil(sorted.length / perSheet[sheet]) }, (_, index) =>
    sorted.slice(index * perSheet[sheet], (index + 1) * perSheet[sheet]),
  );
  return pages.map((page) => (
    <ul key={page[0]!.id} className={`print-labels print-labels-${sheet}`}>
      {page.map(({ id, user_id, name }) => (
        <li key={id}>
          <QrCode
            quiet
            text={inviteLink({ origin: location.origin, to: user_id, resource_id: id, label: labelOf(name) })}
            label={t.invite_code.qr}
          />
          <p className="print-label-text" dir="ltr">
            <Bdi>{user_id}</Bdi>
            <ShortId id={id} />
            <span>{location.host}</span>
          </p>
          <b className={`print-name-${lengthOf(name)}`}>
            <Bdi>{name}</Bdi>
          </b>
        </li>
      ))}
    </ul>
  ));
}

/** Longer names are printed smaller, so that two lines have all of the name. Wide characters count twice. */
function lengthOf(name: string): 'short' | 'medium' | 'long' {
  const width = Array.from(name).reduce(
    (sum, character) => sum + (/[\u1100-\uffff]|\p{Emoji_Presentation}/u.test(character) ? 2 : 1),
    0,
  );
  if (width <= 56) return 'short';
  return width <= 84 ? 'medium' : 'long';
}
