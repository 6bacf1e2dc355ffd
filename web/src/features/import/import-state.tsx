import type { ReactNode } from 'react';
import { FixingRowProvider } from './use-fixing-row.ts';
import { ImportCheckProvider } from './use-import-check.ts';
import { ImportedRowsProvider } from './use-imported-rows.ts';
import { ImportJobProvider } from './use-import-job.ts';
import { ImportSourceProvider } from './use-import-source.ts';
import { StartingImportProvider } from './use-starting-import.ts';

/** The state of the import, a hook for each concern. A hook reads those around it. */
export function ImportState({ user_id, children }: { user_id: string; children: ReactNode }) {
  return (
    <ImportSourceProvider user_id={user_id}>
      <ImportCheckProvider>
        <ImportedRowsProvider>
          <FixingRowProvider>
            <ImportJobProvider>
              <StartingImportProvider>{children}</StartingImportProvider>
            </ImportJobProvider>
          </FixingRowProvider>
        </ImportedRowsProvider>
      </ImportCheckProvider>
    </ImportSourceProvider>
  );
}
