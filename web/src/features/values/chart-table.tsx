import { useMemo } from 'react';
import { asPrecise, type Span } from '../../data/values/series.ts';
import { formatValue } from '../../text/format-value.ts';
import { formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import '../../ui/lists/table.css';
import type { NamedSeries } from './chart-props.ts';
import { tableOf } from './columns.ts';
import { Bdi } from '../../ui/texts/rich.tsx';

/** What the charts show, as a table, newest first. */
export function ChartTable({ shown, span }: { shown: readonly NamedSeries[]; span: Span }) {
  const rows = useMemo(
    () =>
      tableOf(
        shown.map(({ series }) => series),
        span,
      ),
    [shown, span],
  );
  if (rows.length === 0) return <p className="box-row quiet">{t.values.none_in_range}</p>;
  return (
    <section className="values-table" aria-label={t.values.table}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t.values.time}</th>
            {shown.map(({ series, name }) => (
              <th key={series.id} scope="col">
                <Bdi>{name}</Bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, cells }) => (
            <tr key={at}>
              <th scope="row" className="numbers">
                {formatDateTimeSeconds(new Date(at).toISOString())}
              </th>
              {cells.map((value, index) => (
                <td key={shown[index]!.series.id} className="numbers">
                  {value === undefined ? '–' : formatValue(asPrecise(value, shown[index]!.series))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
