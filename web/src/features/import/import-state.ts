import { sharePage } from '../../shared/share-page.tsx';
import { useFixingRow } from './use-fixing-row.ts';
import { useImportCheck } from './use-import-check.ts';
import { useImportJob } from './use-import-job.ts';
import { useImportSource } from './use-import-source.ts';
import { useImportedRows } from './use-imported-rows.ts';
import { useStartingImport } from './use-starting-import.ts';

/** The state of the import, a hook for each concern. */
export const [ImportState, useImport] = sharePage(function useImportState({ user_id }: { user_id: string }) {
  const source = useImportSource({ user_id });
  const check = useImportCheck(source);
  const rows = useImportedRows({ source, check });
  const fixing = useFixingRow();
  const job = useImportJob({ source, rows });
  const starting = useStartingImport({ source, rows });
  return { source, check, rows, fixing, job, starting };
});
