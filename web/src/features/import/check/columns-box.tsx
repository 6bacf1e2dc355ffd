import type { ReactNode } from 'react';
import { encodings, separators } from '@swarmdeck/bff/csv-parser';
import { machineTypes } from '@swarmdeck/bff/field-rules';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { Select } from '../../../ui/select.tsx';
import { isGeoJson } from '../rows/geojson.ts';
import type { Found } from '../rows/dry-run.ts';
import { useImportCheck } from '../use-import-check.ts';
import { useImportColumns } from '../use-import-columns.ts';
import { useImportSource } from '../use-import-source.ts';
import './columns-box.css';

/** How the columns of the file are read. `table`: each with its first value and its use. */
export function ColumnsBox({ table }: { table: ReactNode }) {
  const { uses } = useImportColumns();
  const { found } = useImportCheck();
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
  const { source, hasStarted, decode } = useImportSource();
  const { separate } = useImportColumns();
  const say = t.import.file;
  if (!source || isGeoJson(source.chosen)) return null;
  const { head } = source.chosen;
  return (
    <>
      <Choice
        label={t.import.columns.separator}
        value={head.separator}
        options={separators.map((value) => ({ value, label: say.separators[value] }))}
        disabled={hasStarted}
        onChange={separate}
      />
      <Choice
        label={t.import.columns.encoding}
        value={head.encoding}
        options={encodings.map((value) => ({ value, label: say.encodings[value] }))}
        disabled={hasStarted}
        onChange={(encoding) => void decode(encoding)}
      />
    </>
  );
}

/** What O means, as the file was read. */
function LetterOChoice() {
  const { hasStarted } = useImportSource();
  const { letterO, readLetterO } = useImportColumns();
  const say = t.import.columns;
  return (
    <Choice
      label={say.letter_o}
      value={letterO}
      options={(['east', 'west'] as const).map((value) => ({ value, label: say.letters_o[value] }))}
      disabled={hasStarted}
      onChange={readLetterO}
    />
  );
}

interface ChoiceProps<Value extends string> {
  label: ReactNode;
  /** Undefined until the user has chosen. */
  value: Value | undefined;
  options: readonly { value: Value; label: string }[];
  disabled: boolean;
  onChange(value: Value): void;
}

/** A choice about the whole file, beside its name. */
function Choice<Value extends string>({ label, value, options, ...select }: ChoiceProps<Value>) {
  return (
    <label className="line gap-2 box-part columns-choice">
      <span className="quiet">{label}</span>
      <ChoiceSelect value={value} options={options} {...select} />
    </label>
  );
}

/** Until the user has chosen, the select has one option more. */
function ChoiceSelect<Value extends string>({
  value,
  options,
  onChange,
  ...select
}: Omit<ChoiceProps<Value>, 'label'> & { 'aria-label'?: string }) {
  const none = { value: '' as const, label: t.import.columns.choose, quiet: true };
  return (
    <Select<Value | ''>
      {...select}
      value={value ?? ''}
      options={value ? options : [none, ...options]}
      onChange={(next) => next !== '' && onChange(next)}
    />
  );
}

/** Which column was left out because its ids are of another program. */
function ForeignIds() {
  const { source } = useImportSource();
  const { uses } = useImportColumns();
  const foreignIds = source?.foreignIds ?? null;
  if (!source || foreignIds === null || uses[foreignIds] !== 'skip') return null;
  const name = source.chosen.head.names[foreignIds]?.trim();
  return (
    <p className="box-part muted">
      <Rich text={t.import.columns.foreign_ids} column={<bdi>{name}</bdi>} />
    </p>
  );
}

const typeOptions = () => machineTypes.map((value) => ({ value, label: t.shell.machine_types[value] }));

/** The machine type of a file that has no column for it. */
function TypeOfAll() {
  const { hasStarted } = useImportSource();
  const { uses, otherType, readOtherTypes } = useImportColumns();
  const say = t.import.columns;
  return (
    <div className="box-part stack gap-2">
      <label className="line gap-2 columns-choice">
        <span>{uses.includes('id') ? say.type_of_new : say.type_of_all}</span>
        <ChoiceSelect value={otherType} options={typeOptions()} disabled={hasStarted} onChange={readOtherTypes} />
      </label>
      <p className="quiet">{t.device.form.machine_type_hint}</p>
    </div>
  );
}

/** What becomes of the machine types of another program and of rows without one: of all, and of each type. */
function MachineTypes({ types, hasUntyped }: Pick<Found, 'types' | 'hasUntyped'>) {
  const { hasStarted } = useImportSource();
  const { machineTypes: chosen, readMachineType, otherType, readOtherTypes } = useImportColumns();
  const say = t.import.columns;
  const options = typeOptions();
  const others = types.size === 0 ? say.untyped : hasUntyped ? say.other_types_and_untyped : say.other_types;
  return (
    <div className="box-part stack gap-2 columns-types">
      <h3 className="strong">{say.machine_types}</h3>
      {types.size > 0 && <p className="muted">{say.machine_types_text}</p>}
      {(types.size > 1 || hasUntyped) && (
        <label className="line gap-2 columns-choice">
          <span className="fill">{others}</span>
          <ChoiceSelect value={otherType} options={options} disabled={hasStarted} onChange={readOtherTypes} />
        </label>
      )}
      {[...types].map(([key, { text, rows }]) => (
        <div key={key} className="line gap-2 columns-choice">
          <span className="fill one-line">
            <bdi className="strong">{text}</bdi> <span className="quiet numbers">· {say.rows(rows)}</span>
          </span>
          <ChoiceSelect
            aria-label={say.machine_type_of(text)}
            value={chosen?.[key] ?? otherType}
            options={options}
            disabled={hasStarted}
            onChange={(type) => readMachineType(key, type)}
          />
        </div>
      ))}
    </div>
  );
}
