import { useState } from 'react';
import { formatNumber, joinList, t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFocusAfterRemoval } from '../../../ui/use-focus-after-removal.ts';
import { listedAtMost, type InvalidRow } from '../rows/dry-run.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { errorRows } from '../rows/saved-rows.ts';
import './check-box.css';
import { labelOf, plainErrors } from './row-error-text.tsx';
import { ChangedRows } from './changed-rows.tsx';
import { FixRow } from './fix-row.tsx';
import { InvalidRows } from './invalid-rows.tsx';
import type { ImportFile } from './use-import-file.ts';

/** The result of the dry run: what the import would do with each row. */
export function CheckBox({ source, phone }: { source: ImportFile; phone: boolean }) {
  const { check, missing, hasStarted } = source;
  // Here, and not in the list: a new run may find no error in this row, or in any.
  const [fixing, setFixing] = useState<InvalidRow | null>(null);
  // Fix removes the row of its own button, and Save removes the list after the last row.
  const totals = useFocusAfterRemoval<HTMLOutputElement>(check);
  // While the import changes devices, a new dry run would compare rows with the changed ones.
  if (hasStarted && !check) return null;
  return (
    <Box
      title={t.import.check.title}
      action={!hasStarted && <span className="quiet">{t.import.check.nothing_written}</span>}
    >
      {check ? (
        <>
          <output ref={totals} tabIndex={-1} className="line wraps box-part totals quiet numbers">
            <span className="total-good">
              <b>{formatNumber(check.fresh)}</b> {t.import.check.fresh}
            </span>
            {source.uses.includes('id') && (
              <>
                <span>
                  <b>{formatNumber(check.changes.length)}</b> {t.import.check.changed}
                </span>
                <span>
                  <b>{formatNumber(check.same)}</b> {t.import.check.same}
                </span>
              </>
            )}
            <span className={check.invalid > 0 ? 'total-bad' : undefined}>
              <b>{formatNumber(check.invalid)}</b> {t.import.check.with_errors}
            </span>
          </output>
          {check.listed.length > 0 && (
            <InvalidRows rows={check.listed} source={source} phone={phone} onFix={setFixing} />
          )}
          {(check.changed.length > 0 || source.leftOut > 0) && (
            <ChangedRows run={check} source={source} phone={phone} />
          )}
          <CheckFoot source={source} invalid={check.invalid} listed={check.listed.length} />
        </>
      ) : (
        <output className="box-part muted check-note numbers">
          {missing.length > 0
            ? t.import.check.lacking.replace('{columns}', () => joinList(missing.map(labelOf)))
            : t.import.check.reading(formatNumber(Math.floor(source.part * 100)))}
        </output>
      )}
      {fixing && <FixRow row={fixing} source={source} onClose={() => setFixing(null)} />}
    </Box>
  );
}

function CheckFoot({ source, invalid, listed }: { source: ImportFile; invalid: number; listed: number }) {
  if (invalid === 0) return <p className="box-part muted check-note">{t.import.check.none}</p>;
  const save = async () => {
    const { chosen, input, owned, fixes } = source;
    if (!chosen || !input || !owned) return;
    const { name, head } = chosen;
    const parts = await errorRows({
      ...input,
      names: head.names,
      owned,
      fixes,
      problem: t.import.check.problem,
      sentenceOf: plainErrors,
    });
    saveFile({ name: t.import.check.saved_name(name.replace(/\.\w+$/, '')), parts });
  };
  return (
    <div className="line gap-3 spread box-part check-foot quiet">
      <p>{invalid > listed ? t.import.check.more(formatNumber(listedAtMost)) : t.import.check.left_out}</p>
      <Button size="small" onClick={() => void source.readAgain(save)}>
        {t.import.check.save}
      </Button>
    </div>
  );
}
