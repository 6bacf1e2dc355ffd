import { useEffect, useState } from 'react';
import { jobsPrefix } from '../../../api/jobs/stored-jobs.ts';
import { getValues } from '../../../api/jobs/stored-values.ts';
import { lazyPart } from '../../../ui/lazy.tsx';

const ImportStrip = lazyPart(async () => (await import('./import-strip.tsx')).ImportStrip);

/** An unfinished import, if there is one. */
export function UnfinishedImport({ user_id }: { user_id: string }) {
  const [exists, setExists] = useState(false);
  useEffect(() => {
    getValues(jobsPrefix(`import:${user_id}`)).then(
      (jobs) => setExists(jobs.length > 0),
      // A browser without storage has no unfinished import.
      () => undefined,
    );
  }, [user_id]);
  return exists && <ImportStrip />;
}
