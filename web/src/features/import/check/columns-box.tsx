import type { LetterO } from '@swarmdeck/bff/coordinates';
import type { MachineType } from '@swarmdeck/bff/contract';
import { encodings, separators } from '@swarmdeck/bff/csv-parser';
import { deviceColumns } from '@swarmdeck/bff/device-errors';
import { machineTypes } from '@swarmdeck/bff/field-rules';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { Select } from '../../../ui/select.tsx';
import type { CsvHead } from '../rows/csv-file.ts';
import type { Use } from '../rows/column-uses.ts';
import type { Found } from '../rows/dry-run.ts';
import '../../../ui/table.css';
import './columns-box.css';
import { labelOf } from './row-error-text.tsx';
import type { ImportFile } from './use-import-file.ts';

const all: readonly Use[] = [...deviceColumns, 'id', 'changed_at', 'skip'];

interface ColumnsBoxProps {
  head: CsvHead;
  /** The table of another format has no separator to choose. */
  isCsv: boolean;
  source: ImportFile;
  phone: boolean;
}

/** The columns of the file, each with its first value and its use. */
export function ColumnsBox({ head, isCsv, source, phone }: ColumnsBoxProps) {
  const { uses, use: onUse, hasStarted, foreignIds } = source;
  const say = t.import.file;
  const options = all.map((value) => ({ value, label: labelOf(value), quiet: value === 'skip' }));
  const shown = uses.flatMap((use, index) => (use === undefined ? [] : [{ use, index }]));
  const used = shown.filter(({ use }) => use !== 'skip').length;
  return (
    <Box
      title={t.import.columns.title}
      action={
        <span className="quiet numbers">{t.import.columns.used(formatNumber(used), formatNumber(shown.length))}</span>
      }
    >
      {isCsv && (
        <label className="line gap-2 box-part columns-choice">
          <span className="quiet">{t.import.columns.separator}</span>
          <Select
            value={head.separator}
            options={separators.map((value) => ({ value, label: say.separators[value] }))}
            disabled={hasStarted}
            onChange={source.separate}
          />
        </label>
      )}
      {isCsv && (
        <label className="line gap-2 box-part columns-choice">
          <span className="quiet">{t.import.columns.encoding}</span>
          <Select
            value={head.encoding}
            options={encodings.map((value) => ({ value, label: say.encodings[value] }))}
            disabled={hasStarted}
            onChange={(encoding) => void source.decode(encoding)}
          />
        </label>
      )}
      {source.found?.letters.has('O') && <LetterOChoice source={source} />}
      {foreignIds !== null && uses[foreignIds] === 'skip' && (
        <p className="box-part muted">
          <Rich text={t.import.columns.foreign_ids} column={<bdi>{head.names[foreignIds]?.trim()}</bdi>} />
        </p>
      )}
      <table className="table columns-table">
        <colgroup>
          <col />
          <col />
          {!phone && <col />}
        </colgroup>
        <thead className={phone ? 'visually-hidden' : undefined}>
          <tr>
            <th scope="col">{t.import.columns.column}</th>
            <th scope="col">{t.import.columns.goes_to}</th>
            {!phone && <th scope="col">{t.import.columns.first}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ use, index }) => {
            const name = head.names[index]?.trim() || t.import.columns.nameless(formatNumber(index + 1));
            const first = <bdi>{head.first[index] ?? ''}</bdi>;
            return (
              <tr key={index}>
                <th scope="row">
                  <code className="columns-name" title={name}>
                    <bdi>{name}</bdi>
                  </code>
                  {phone && <span className="muted">{first}</span>}
                </th>
                <td>
                  <Select
                    aria-label={t.import.columns.goes_to_of(name)}
                    value={use}
                    options={options}
                    disabled={hasStarted}
                    onChange={(next) => onUse(index, next)}
                  />
                </td>
                {!phone && <td className="muted">{first}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
      {source.found && source.found.types.size > 0 && <MachineTypes types={source.found.types} source={source} />}
    </Box>
  );
}

/** An option that is shown until the user has chosen another one. */
const none = '';

/** What O means, as the file was read. */
function LetterOChoice({ source }: { source: ImportFile }) {
  const letterO = source.input?.letterO;
  const say = t.import.columns;
  const options = (['east', 'west'] as const).map((value) => ({ value, label: say.letters_o[value] }));
  return (
    <label className="line gap-2 box-part columns-choice">
      <span className="quiet">{say.letter_o}</span>
      <Select<LetterO | typeof none>
        value={letterO ?? none}
        options={letterO ? options : [{ value: none, label: say.choose }, ...options]}
        disabled={source.hasStarted}
        onChange={(value) => value !== none && source.readLetterO(value)}
      />
    </label>
  );
}

/** The machine types of another program: what becomes of each, in all of its rows. */
function MachineTypes({ types, source }: { types: Found['types']; source: ImportFile }) {
  const say = t.import.columns;
  const options = machineTypes.map((value) => ({ value, label: t.shell.machine_types[value] }));
  return (
    <div className="box-part stack gap-2 columns-types">
      <h3 className="strong">{say.machine_types}</h3>
      <p className="muted">{say.machine_types_text}</p>
      {[...types].map(([key, { text, rows }]) => {
        const ours = source.input?.machineTypes?.[key];
        return (
          <div key={key} className="line gap-2 columns-choice">
            <span className="fill one-line">
              <bdi className="strong">{text}</bdi> <span className="quiet numbers">· {say.rows(rows)}</span>
            </span>
            <Select<MachineType | typeof none>
              aria-label={say.machine_type_of(text)}
              value={ours ?? none}
              options={ours ? options : [{ value: none, label: say.choose, quiet: true }, ...options]}
              disabled={source.hasStarted}
              onChange={(type) => type !== none && source.readMachineType(key, type)}
            />
          </div>
        );
      })}
    </div>
  );
}
