import type { ReactNode } from 'react';
import type { MachineType } from '@swarmdeck/bff/contract';
import { encodings, separators } from '@swarmdeck/bff/csv-parser';
import { clipped } from '@swarmdeck/bff/device-import';
import { machineTypes } from '@swarmdeck/bff/field-rules';
import { joinList } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import type { CsvHead } from '../rows/csv-file.ts';
import { isGeoJson } from '@swarmdeck/bff/geojson';
import type { Found } from '../rows/dry-run.ts';
import { useImport } from '../import-state.ts';
import { useImportColumns, useImportReadings } from '../use-import-columns.ts';
import { hasFixes } from '../use-import-source.ts';
import './columns-box.css';

/** How the columns of the file are read. `table`: each with its first value and its use. */
export function ColumnsBox({ table }: { table: ReactNode }) {
  const { uses } = useImportColumns();
  const { found } = useImport('check');
  const shown = uses.filter((use) => use !== undefined);
  const used = shown.filter((use) => use !== 'skip').length;
  return (
    <Box
      title={t.import.columns.title}
      action={
        <span className="quiet numbers">{t.import.columns.used(formatNumber(used), formatNumber(shown.length))}</span>
      }
    >
      <FormChoices />
      {shown.length > 0 && !uses.includes('machine_type') && <TypeOfAll />}
      {found?.letters.has('O') && <LetterOChoice />}
      <ForeignIds />
      {table}
      {found && uses.includes('machine_type') && (found.types.size > 0 || found.hasUntyped) && (
        <MachineTypes {...found} />
      )}
    </Box>
  );
}

/** How the text of a CSV file is read. The table of another format has nothing to choose. */
function FormChoices() {
  const { source, readAs } = useImport('source');
  const say = t.import.file;
  if (!source || isGeoJson(source.chosen)) return null;
  const { head } = source.chosen;
  const { separator } = head;
  return (
    <>
      <Choice
        className="box-part"
        label={<span className="quiet">{t.import.columns.separator}</span>}
        value={separator}
        options={separators.map((value) => ({ value, label: say.separators[value] }))}
        onChange={(chosen) => void readAs({ separator: chosen })}
      />
      <Choice
        className="box-part"
        label={<span className="quiet">{t.import.columns.encoding}</span>}
        value={head.encoding}
        options={encodings.map((value) => ({ value, label: say.encodings[value] }))}
        onChange={(encoding) => void readAs({ encoding })}
      />
      <Choice
        className="box-part"
        label={<span className="quiet">{t.import.columns.header}</span>}
        value={String(head.line)}
        options={head.start.map(({ line, fields }) => ({
          value: String(line),
          label: t.import.columns.header_line(formatNumber(line), startOf(fields)),
        }))}
        onChange={(line) => void readAs({ header: Number(line) })}
      />
      <LinesAbove head={head} />
      {source.otherReadings.filter(hasFixes).map(({ input, fixes }) => (
        <p className="box-part muted" key={`${input.encoding} ${input.separator} ${input.header}`}>
          {t.import.columns.corrected(
            Object.keys(fixes).length,
            say.encoding(say.encodings[input.encoding], say.separators[input.separator]),
            formatNumber(input.header),
          )}
        </p>
      ))}
    </>
  );
}

const mostNamed = 3;

/** Which lines are not imported because they are above the column names. */
function LinesAbove({ head: { start, line } }: { head: CsvHead }) {
  const above = start.filter((record) => record.line < line);
  if (above.length === 0) return null;
  const named = above.slice(0, mostNamed).map(({ fields }) => t.import.columns.quoted(startOf(fields)));
  const rest = above.length - named.length;
  return (
    <p className="box-part muted">
      <Rich
        text={t.import.columns.above(above.length)}
        lines={<Bdi>{joinList(rest > 0 ? [...named, t.import.check.more_rows(formatNumber(rest))] : named)}</Bdi>}
      />
    </p>
  );
}

/** What a line begins with. */
const startOf = (fields: readonly string[]) => clipped(fields.filter((field) => field.trim() !== '').join(' · '));

/** What O means, as the file was read. */
function LetterOChoice() {
  const { letterO, readLetterO } = useImportReadings();
  const say = t.import.columns;
  return (
    <Choice
      className="box-part"
      label={<span className="quiet">{say.letter_o}</span>}
      value={letterO}
      options={(['east', 'west'] as const).map((value) => ({ value, label: say.letters_o[value] }))}
      onChange={readLetterO}
    />
  );
}

interface ChoiceProps<Value extends string> {
  label: ReactNode;
  /** Names the select, if the label is longer than a name. */
  name?: string;
  className?: string;
  /** Undefined until the user has chosen. The select then has one option more. */
  value: Value | undefined;
  options: readonly { value: Value; label: string }[];
  onChange(value: Value): void;
}

/** A choice about the file or about some of its rows, beside its name. */
function Choice<Value extends string>({ label, name, className = '', value, options, onChange }: ChoiceProps<Value>) {
  const { hasStarted } = useImport('source');
  const none = { value: '' as const, label: t.import.columns.choose, quiet: true };
  return (
    <label className={`line gap-2 columns-choice ${className}`}>
      {label}
      <Select<Value | ''>
        aria-label={name}
        value={value ?? ''}
        options={value ? options : [none, ...options]}
        disabled={hasStarted}
        onChange={(next) => next !== '' && onChange(next)}
      />
    </label>
  );
}

/** A choice of one of our machine types. */
function TypeChoice(props: Omit<ChoiceProps<MachineType>, 'options'>) {
  const options = machineTypes.map((value) => ({ value, label: t.shell.machine_types[value] }));
  return <Choice {...props} options={options} />;
}

/** Which column was left out because its ids are of another program. */
function ForeignIds() {
  const { source } = useImport('source');
  const { uses } = useImportColumns();
  const foreignIds = source?.foreignIds ?? null;
  if (!source || foreignIds === null || uses[foreignIds] !== 'skip') return null;
  const name = source.chosen.head.names[foreignIds]?.trim();
  return (
    <p className="box-part muted">
      <Rich text={t.import.columns.foreign_ids} column={<Bdi>{name}</Bdi>} />
    </p>
  );
}

/** The machine type of a file that has no column for it. */
function TypeOfAll() {
  const { uses } = useImportColumns();
  const { otherType, readOtherTypes } = useImportReadings();
  const say = t.import.columns;
  const label = uses.includes('id') ? say.type_of_new : say.type_of_all;
  return (
    <div className="box-part stack gap-2">
      <TypeChoice label={<span>{label}</span>} value={otherType} onChange={readOtherTypes} />
      <p className="quiet">{t.device.form.machine_type_hint}</p>
    </div>
  );
}

/** What becomes of the machine types of another program and of rows without one: of all, and of each type. */
function MachineTypes({ types, hasUntyped }: Pick<Found, 'types' | 'hasUntyped'>) {
  const { machineTypes: chosen, readMachineType, otherType, readOtherTypes } = useImportReadings();
  const say = t.import.columns;
  const others = types.size === 0 ? say.untyped : hasUntyped ? say.other_types_and_untyped : say.other_types;
  return (
    <div className="box-part stack gap-2 columns-types">
      <h3 className="strong">{say.machine_types}</h3>
      {types.size > 0 && <p className="muted">{say.machine_types_text}</p>}
      {(types.size > 1 || hasUntyped) && (
        <TypeChoice label={<span className="fill">{others}</span>} value={otherType} onChange={readOtherTypes} />
      )}
      {[...types].map(([key, { text, rows }]) => (
        <TypeChoice
          key={key}
          label={
            <span className="fill one-line">
              <Bdi className="strong">{text}</Bdi> <span className="quiet numbers">· {say.rows(rows)}</span>
            </span>
          }
          name={say.machine_type_of(text)}
          value={chosen?.[key] ?? otherType}
          onChange={(type) => readMachineType(key, type)}
        />
      ))}
    </div>
  );
}
