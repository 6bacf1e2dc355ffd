import type { LastValues } from '@swarmdeck/bff/contract';
import { formatValue } from '../../text/format-value.ts';
import './row-value.css';
import { Bdi } from '../../ui/texts/rich.tsx';

/** The last value of a device, in its row of a list. A screen reader says what it is. */
export function RowValue({ values, valueKey }: { values: LastValues | undefined; valueKey: string }) {
  const last = values?.[valueKey];
  return (
    last && (
      <Bdi className="row-value one-line numbers">
        <span className="visually-hidden">{valueKey} </span>
        {formatValue(last.value)}
      </Bdi>
    )
  );
}
