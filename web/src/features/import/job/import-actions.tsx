import type { Quota } from '../../../ui/fields/quota-note.tsx';
import { useImport } from '../import-state.ts';
import { JobBox } from './job-box.tsx';
import { StartBox } from './start-box.tsx';

/** Starts the import of the file, or shows the one that was started. */
export function ImportActions({ quota }: { quota: Quota }) {
  const { job } = useImport('job');
  return job ? <JobBox job={job} /> : <StartBox quota={quota} />;
}
