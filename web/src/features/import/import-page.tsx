import { useShowsActions } from '../../data/actions/actions.ts';
import { formatNumber, t } from '../../text/text.ts';
import { phone as phoneQuery, useMedia } from '../../ui/media.ts';
import { JumpButton, PageHead } from '../../ui/page-head.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import type { Quota } from '../../ui/quota-note.tsx';
import { CheckBox } from './check/check-box.tsx';
import { ColumnsBox } from './check/columns-box.tsx';
import { useDrop } from './check/use-drop.ts';
import { ChooseFile } from './choose-file.tsx';
import './import-page.css';
import { ImportSteps } from './import-steps.tsx';
import { JobBox, resultOf } from './job/job-box.tsx';
import { StartBox } from './job/start-box.tsx';
import { rowsOf } from './rows/dry-run.ts';
import { isGeoJson } from './rows/geojson.ts';
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts';
import { useImport, type Import, type ImportAction } from './use-import.ts';

/** Imports many devices from a file: choose a file, assign its columns, check the rows, import. */
export function ImportPage({ user_id, quota }: { user_id: string; quota: Quota }) {
  usePageTitle(t.import.title);
  const phone = useMedia(phoneQuery);
  const page = useImport({ user_id });
  const { source, job } = page;
  useShowsActions('import');
  const take = (file: File) => void page.choose(file);
  const { over, drop } = useDrop(take);
  const heading = useFocusAfterRemoval<HTMLHeadingElement>(source.chosen);
  const columns = source.chosen && (
    <ColumnsBox head={source.chosen.head} isCsv={!isGeoJson(source.chosen)} source={source} phone={phone} />
  );
  const check = source.chosen && <CheckBox source={source} phone={phone} />;
  const actions = job ? <JobBox page={page} job={job} /> : source.chosen && <StartBox page={page} quota={quota} />;
  /** Below the rows that it is about. */
  const isDocked = phone && source.chosen !== null;
  return (
    <div className="page import" role="presentation" {...drop}>
      <PageHead back={{ to: '/', label: t.import.back }}>
        <div className="fill">
          <h1 ref={heading} tabIndex={-1}>
            {t.import.title}
          </h1>
          {source.chosen && <p className="quiet one-line page-head-line numbers">{fileLine(source)}</p>}
        </div>
        {phone ? <JumpButton /> : <ImportSteps at={stepOf(page)} />}
      </PageHead>
      {/* Rendered while empty, because a live region announces only changes. */}
      <output className="visually-hidden">{job && isDone(job) && resultOf(job)}</output>
      {source.chosen || job ? (
        <>
          <div className="page-columns import-columns">
            {phone ? check : columns}
            <div className="stack gap-4 import-side">
              {phone ? columns : check}
              {!isDocked && actions}
            </div>
          </div>
          {isDocked && <footer className="import-foot">{actions}</footer>}
        </>
      ) : (
        <ChooseFile error={source.error} over={over} onFile={take} />
      )}
    </div>
  );
}

/** Whether it has ended and was not stopped. */
const isDone = ({ state, done, total }: ImportAction) => state === 'ended' && done === total;

function stepOf({ source, job }: Import): number {
  if (job) return isDone(job) ? 5 : 4;
  if (!source.chosen) return 1;
  return source.missing.length > 0 ? 2 : 3;
}

/** `quay-sensors.csv · 2,000 rows · 118 kB · UTF-8, comma`. */
function fileLine({ chosen, check, leftOut }: Import['source']) {
  if (!chosen) return null;
  const rows = check ? rowsOf(check) + check.same + check.invalid + leftOut : null;
  const say = t.import.file;
  const { separator, encoding } = chosen.head;
  const facts = [
    ...(rows === null ? [] : [say.rows(rows)]),
    sizeOf(chosen.file.size),
    ...(isGeoJson(chosen) ? ['GeoJSON'] : [say.encoding(say.encodings[encoding], say.separators[separator])]),
  ];
  return (
    <>
      <bdi>{chosen.name}</bdi> · {facts.join(' · ')}
    </>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? t.import.file.kilobytes(formatNumber(Math.ceil(bytes / 1000)))
    : t.import.file.megabytes(formatNumber(Math.ceil(bytes / 100_000) / 10));
}
