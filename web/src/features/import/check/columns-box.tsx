import { formatNumber } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Select } from '../../../ui/select.tsx';
import { words } from '../import-words.ts';
import type { CsvHead } from '../rows/csv-file.ts';
import type { Use, Uses } from '../rows/mapping.ts';
import './columns-box.css';

const text = words.columns;
const all: readonly Use[] = ['name', 'machine_type', 'description', 'longitude', 'latitude', 'id', 'skip'];
const options = all.map((value) => ({ value, label: text.uses[value], quiet: value === 'skip' }));

/** The columns of the file, each with its first value and what it is used for. */
export function ColumnsBox({
  head,
  uses,
  phone,
  fixed,
  onUse,
}: {
  head: CsvHead;
  uses: Uses;
  phone: boolean;
  /** It is being imported as it is. */
  fixed: boolean;
  onUse(index: number, use: Use): void;
}) {
  const shown = uses.flatMap((use, index) => (use === undefined ? [] : [{ use, index }]));
  const used = shown.filter(({ use }) => use !== 'skip').length;
  return (
    <Box
      title={text.title}
      action={<span className="import-aside numbers">{text.used(formatNumber(used), formatNumber(shown.length))}</span>}
    >
      <table className="columns-table">
        <thead className={phone ? 'visually-hidden' : undefined}>
          <tr>
            <th scope="col">{text.column}</th>
            <th scope="col">{text.goes_to}</th>
            {!phone && <th scope="col">{text.first}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ use, index }) => {
            const name = head.names[index]?.trim() || text.nameless(formatNumber(index + 1));
            const first = <bdi>{head.first[index] ?? ''}</bdi>;
            return (
              <tr key={index}>
                <th scope="row">
                  <code className="columns-name" title={name}>
                    <bdi>{name}</bdi>
                  </code>
                  {phone && <span className="columns-first">{first}</span>}
                </th>
                <td>
                  <Select
                    aria-label={text.goes_to_of(name)}
                    value={use}
                    options={options}
                    disabled={fixed}
                    onChange={(next) => onUse(index, next)}
                  />
                </td>
                {!phone && <td className="columns-first">{first}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Box>
  );
}
