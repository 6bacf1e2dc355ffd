import { joinList } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { useFocusAfterRemoval } from '../../../ui/browser/use-focus-after-removal.ts';
import { listedAtMost } from '../rows/dry-run.ts';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { errorRows } from '../rows/saved-rows.ts';
import { useImport } from '../import-state.ts';
import { useImportColumns } from '../use-import-columns.ts';
import './check-box.css';
import { labelOf, plainErrors } from './row-error-text.tsx';
import { ChangedRows } from './changed-rows.tsx';
import { InvalidRows } from './invalid-rows.tsx';
import { NewRows } from './new-rows.tsx';
import { KnownRows, RepeatedRows } from './omitted-rows.tsx';

interface CheckBoxProps {
  /** In px. */
  rowHeights: { invalid: number; changed: number };
}

/** The result of the dry run: what the import would do with each row. */
export function CheckBox({ rowHeights }: CheckBoxProps) {
  const { hasStarted } = useImport('source');
  const { uses } = useImportColumns();
  const { isNotCompared } = useImport('check');
  const { check, left } = useImport('rows');
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
            {uses.includes('id') && (
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
          {check.listed.length > 0 && <InvalidRows rows={check.listed} rowHeight={rowHeights.invalid} />}
          <NewRows run={check} />
          <RepeatedRows lines={check.repeated} />
          <KnownRows rows={check.known} />
          {(check.changed.length > 0 || left.newer > 0) && <ChangedRows run={check} rowHeight={rowHeights.changed} />}
          {isNotCompared && (
            <div className="box-part check-note">
              <Note tone="warn" icon="warning">
                {t.import.check.not_compared}
              </Note>
            </div>
          )}
          <CheckFoot invalid={check.invalid} listed={check.listed.length} />
        </>
      ) : (
        <Reading />
      )}
    </Box>
  );
}

/** How far the rows are read, or which columns must be known first. */
function Reading() {
  const { missing } = useImportColumns();
  const { part } = useImport('check');
  const { reading, lacking, lacking_type } = t.import.check;
  return (
    <output className="box-part muted check-note numbers">
      {missing.length > 0
        ? lacking.replace('{columns}', () => joinList(missing.map(labelOf)))
        : reading(formatNumber(Math.floor(part * 100)))}
      {missing.includes('machine_type') && ` ${lacking_type}`}
    </output>
  );
}

function CheckFoot({ invalid, listed }: { invalid: number; listed: number }) {
  const { source, readAgain } = useImport('source');
  const { owned } = useImport('check');
  if (invalid === 0) return <p className="box-part muted check-note">{t.import.check.none}</p>;
  const save = async () => {
    if (!source || !owned) return;
    const { chosen, input, fixes } = source;
    const { name, head } = chosen;
    const parts = await errorRows({
      ...input,
      names: head.names,
      owned,
      fixes,
      problem: t.import.check.problem,
      sentenceOf: plainErrors,
    });
    saveFile({ name: t.import.check.saved_name(name.replace(/\.\w+$/, '')), parts, isAsRead: true });
  };
  return (
    <div className="line gap-3 spread box-part check-foot quiet">
      <p>{invalid > listed ? t.import.check.more(formatNumber(listedAtMost)) : t.import.check.left_out}</p>
      <Button size="small" onClick={() => void readAgain(save)}>
        {t.import.check.save}
      </Button>
    </div>
  );
}
