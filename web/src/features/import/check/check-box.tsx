import { joinList } from '../../../text/calendar.ts';
import { formatNumber } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Button } from '../../../ui/button.tsx';
import { words } from '../import-words.ts';
import { useFocusKept } from '../use-focus-kept.ts';
import { listedAtMost } from '../rows/dry-run.ts';
import { saveFile } from '../rows/save-file.ts';
import { errorRows } from '../rows/saved-rows.ts';
import './check-box.css';
import { plainFaults } from './fault-text.tsx';
import { RefusedRows } from './refused-rows.tsx';
import type { ImportFile } from './use-import-file.ts';

const text = words.check;

/** What an import would make of each row, before anything is written. */
export function CheckBox({ source, phone, fixed }: { source: ImportFile; phone: boolean; fixed: boolean }) {
  const { check, lacks } = source;
  // Fix removes the row that its button was in, and Save the last one with its list
  const totals = useFocusKept<HTMLOutputElement>(check);
  // of what is changed already nobody can say any more what it was
  if (fixed && !check) return null;
  return (
    <Box title={text.title} action={!fixed && <span className="import-aside">{text.nothing_written}</span>}>
      {check ? (
        <>
          <output ref={totals} tabIndex={-1} className="check-totals numbers">
            <span className="check-good">
              <b>{formatNumber(check.fresh)}</b> {text.fresh}
            </span>
            {source.uses.includes('id') && (
              <>
                <span>
                  <b>{formatNumber(check.changes.length)}</b> {phone ? text.changed_short : text.changed}
                </span>
                <span>
                  <b>{formatNumber(check.same)}</b> {text.same}
                </span>
              </>
            )}
            <span className={check.refused > 0 ? 'check-bad' : undefined}>
              <b>{formatNumber(check.refused)}</b> {text.with_errors}
            </span>
          </output>
          {check.listed.length > 0 && (
            <RefusedRows
              rows={check.listed}
              names={source.chosen?.head.names ?? []}
              uses={source.uses}
              phone={phone}
              fixed={fixed}
              judge={source.judge}
              onFix={source.fix}
            />
          )}
          <CheckFoot source={source} refused={check.refused} listed={check.listed.length} />
        </>
      ) : (
        <output className="check-note numbers">
          {lacks.length > 0
            ? text.lacking.replace('{columns}', () => joinList(lacks.map((column) => words.columns.uses[column])))
            : text.reading(formatNumber(Math.floor(source.part * 100)))}
        </output>
      )}
    </Box>
  );
}

function CheckFoot({ source, refused, listed }: { source: ImportFile; refused: number; listed: number }) {
  if (refused === 0) return <p className="check-note">{text.none}</p>;
  const save = async () => {
    const { chosen, uses, owned, fixes } = source;
    if (!chosen || !owned) return;
    const { file, name, head } = chosen;
    const parts = await errorRows({
      ...head,
      file,
      uses,
      owned,
      fixes,
      problem: text.problem,
      sentenceOf: plainFaults,
    });
    saveFile({ name: text.saved_name(name.replace(/\.\w+$/, '')), parts });
  };
  return (
    <div className="check-foot">
      <p>{refused > listed ? text.more(formatNumber(listedAtMost)) : text.left_out}</p>
      <Button size="small" onClick={() => void save()}>
        {text.save}
      </Button>
    </div>
  );
}
