import type { ReactNode } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { Rich } from '../../../ui/rich.tsx';
import type { ImportFault } from '../rows/check-row.ts';
import type { Use } from '../rows/column-uses.ts';

/** The message for an error of a cell or a row. `{value}` is the invalid text. */
function faultSentence(fault: ImportFault): string {
  switch (fault.code) {
    case 'missing':
      return fault.column === 'name' ? t.import.faults.missing.name : t.import.faults.missing.machine_type;
    case 'too_long':
      return t.import.faults.too_long(formatNumber(fault.most));
    case 'out_of_range':
      return (fault.swapped ? t.import.faults.swapped : t.import.faults.out_of_range)(formatNumber(fault.most));
    case 'too_many_cells':
      return t.import.faults.too_many_cells(formatNumber(fault.fields), formatNumber(fault.columns));
    default:
      return t.import.faults[fault.code];
  }
}

function textOf(fault: ImportFault): string {
  if ('text' in fault) return fault.text;
  return 'value' in fault ? String(fault.value) : '';
}

/** The name of a use of a column. */
export const labelOf = (use: Use) => (use === 'id' || use === 'skip' ? t.import.columns.uses[use] : t.device.form[use]);

/** The messages of a row for a file: without markup, the column first. */
export function plainFaults(errors: readonly ImportFault[]): string {
  const one = (fault: ImportFault) => faultSentence(fault).replace('{value}', () => textOf(fault));
  return errors
    .map((fault) => (fault.column === 'row' ? one(fault) : `${labelOf(fault.column)}: ${one(fault)}`))
    .join('; ');
}

export function FaultText({ fault, phone }: { fault: ImportFault; phone: boolean }): ReactNode {
  return (
    <>
      {!phone && fault.column !== 'row' && <b>{labelOf(fault.column)} </b>}
      <Rich text={faultSentence(fault)} value={<bdi>{textOf(fault)}</bdi>} />
    </>
  );
}
