import { useRef, useState } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { optional } from '../../../ui/late.tsx';
import { useWindow } from '../../../ui/list.tsx';
import { atTextSize } from '../../../ui/text-size.ts';
import type { RefusedRow } from '../rows/dry-run.ts';
import type { Uses } from '../rows/mapping.ts';
import type { RowFate } from '../rows/row-fate.ts';
import { FaultText } from './fault-text.tsx';

const FixRow = optional(async () => (await import('./fix-row.tsx')).FixRow);
/** The rows that cannot be imported, with their lines and reasons. Only visible rows are rendered. */
export function RefusedRows({
  rows,
  names,
  uses,
  phone,
  fixed,
  judge,
  onFix,
}: {
  rows: readonly RefusedRow[];
  names: readonly string[];
  uses: Uses;
  phone: boolean;
  fixed: boolean;
  judge(line: number, fields: readonly string[]): RowFate;
  onFix(fix: { line: number; fields: readonly string[]; fate: RowFate }): void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [fixing, setFixing] = useState<RefusedRow | null>(null);
  const rowHeight = atTextSize(phone ? 64 : 48);
  const window = useWindow({ scroller: box, list, count: rows.length, rowHeight });
  return (
    <div ref={box} className="refused-rows">
      <ul ref={list} aria-label={t.import.check.errors} style={{ blockSize: window.height }}>
        {window.rows.map((at) => {
          const row = rows[at];
          if (!row) return null;
          const line = formatNumber(row.line);
          return (
            <li
              key={row.line}
              className="refused-row"
              style={{ insetBlockStart: window.offset(at), blockSize: rowHeight }}
              aria-setsize={rows.length}
              aria-posinset={at + 1}
            >
              <span className="refused-line numbers">{t.import.check.line(line)}</span>
              <span className="refused-why">
                {row.errors.map((fault, index) => (
                  <span key={`${fault.column} ${fault.code}`}>
                    {index > 0 && ' · '}
                    <FaultText fault={fault} phone={phone} />
                  </span>
                ))}
              </span>
              <Button
                look="accent"
                size="row"
                aria-label={fixed ? t.import.check.show_line(line) : t.import.check.fix_line(line)}
                onClick={() => setFixing(row)}
              >
                {fixed ? t.import.check.show : t.import.check.fix}
              </Button>
            </li>
          );
        })}
      </ul>
      {fixing && (
        <FixRow
          row={fixing}
          fixed={fixed}
          names={names}
          uses={uses}
          judge={judge}
          onClose={() => setFixing(null)}
          onFixed={(fix) => {
            setFixing(null);
            onFix(fix);
          }}
        />
      )}
    </div>
  );
}
