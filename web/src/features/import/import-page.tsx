import { useShowsActions } from '../../data/actions/actions.ts';
import { formatNumber, t } from '../../text/text.ts';
import { phone, useMedia } from '../../ui/browser/media.ts';
import { JumpButton, PageHead } from '../../ui/pages/page-head.tsx';
import { usePageTitle } from '../../ui/pages/page-title.ts';
import type { Quota } from '../../ui/fields/quota-note.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { useFocusAfterRemoval } from '../../ui/browser/use-focus-after-removal.ts';
import { FixRow } from './check/fix-row.tsx';
import { useDrop } from './check/use-drop.ts';
import { ChooseFile } from './choose-file.tsx';
import type { ImportAction } from './import-action.ts';
import { DeskImport } from './import-desk.tsx';
import './import-page.css';
import { PhoneImport } from './import-phone.tsx';
import { ImportState, useImport } from './import-state.ts';
import { ImportSteps } from './import-steps.tsx';
import { JobBox, resultOf } from './job/job-box.tsx';
import { rowsOf } from './rows/dry-run.ts';
import { isGeoJson } from '@swarmdeck/bff/geojson';
import { useImportColumns } from './use-import-columns.ts';

/** Imports many devices from a file: choose a file, assign its columns, check the rows, import. */
export function ImportPage({ user_id, quota }: { user_id: string; quota: Quota }) {
  return (
    <ImportState user_id={user_id}>
      <Page quota={quota} />
    </ImportState>
  );
}

function Page({ quota }: { quota: Quota }) {
  usePageTitle(t.import.title);
  useShowsActions('import');
  const isPhone = useMedia(phone);
  const { source, error } = useImport('source');
  const { job, choose } = useImport('job');
  const fixing = useImport('fixing');
  const take = (file: File) => void choose(file);
  const { over, drop } = useDrop(take);
  const chosen = source?.chosen ?? null;
  const heading = useFocusAfterRemoval<HTMLHeadingElement>(chosen);
  return (
    <div className="page import" role="presentation" {...drop}>
      <PageHead back={{ to: '/', label: t.import.back }}>
        <div className="fill">
          <h1 ref={heading} tabIndex={-1}>
            {t.import.title}
          </h1>
          <FileLine />
        </div>
        {isPhone ? <JumpButton /> : <Steps />}
      </PageHead>
      {/* Rendered while empty, because a live region announces only changes. */}
      <output className="visually-hidden">{job && isDone(job) && resultOf(job)}</output>
      {chosen && (isPhone ? <PhoneImport quota={quota} /> : <DeskImport quota={quota} />)}
      {!chosen &&
        (job && job.state !== 'ended' ? (
          <div className="page-columns import-columns">
            <div className="stack gap-4 import-side">
              <JobBox job={job} />
            </div>
          </div>
        ) : (
          <ChooseFile error={error} over={over} onFile={take}>
            {job && <JobBox job={job} />}
          </ChooseFile>
        ))}
      {fixing.row && <FixRow row={fixing.row} onClose={fixing.close} />}
    </div>
  );
}

/** Whether it has ended and was not stopped. */
const isDone = ({ state, done, total }: ImportAction) => state === 'ended' && done === total;

function Steps() {
  const { source } = useImport('source');
  const { missing } = useImportColumns();
  const { job } = useImport('job');
  if (!source && job?.state === 'ended') return <ImportSteps at={1} />;
  if (job) return <ImportSteps at={isDone(job) ? 5 : 4} />;
  if (!source) return <ImportSteps at={1} />;
  return <ImportSteps at={missing.length > 0 ? 2 : 3} />;
}

/** `quay-sensors.csv · 2,000 rows · 118 kB · UTF-8, comma`. */
function FileLine() {
  const { source } = useImport('source');
  const { check, left, omitted } = useImport('rows');
  if (!source) return null;
  const { chosen, input } = source;
  const rows = check ? rowsOf(check) + check.same + check.invalid + left.newer + omitted.length : null;
  const say = t.import.file;
  const { separator, encoding } = chosen.head;
  const facts = [
    ...(rows === null ? [] : [say.rows(rows)]),
    ...(input.only ? [] : [sizeOf(chosen.file.size)]),
    ...(isGeoJson(chosen) ? ['GeoJSON'] : [say.encoding(say.encodings[encoding], say.separators[separator])]),
  ];
  return (
    <p className="quiet one-line page-head-line numbers">
      <Bdi>{chosen.name}</Bdi> · {facts.join(' · ')}
    </p>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? t.import.file.kilobytes(formatNumber(Math.ceil(bytes / 1000)))
    : t.import.file.megabytes(formatNumber(Math.ceil(bytes / 100_000) / 10));
}
