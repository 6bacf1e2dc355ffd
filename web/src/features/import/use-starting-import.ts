import { useState } from 'react';
import { useActionRequests } from '../../data/actions/actions.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { importItems } from './rows/import-items.ts';
import type { ImportSource } from './use-import-source.ts';
import type { ImportedRows } from './use-imported-rows.ts';

interface StartingImportOptions {
  source: Pick<ImportSource, 'source' | 'readAgain'>;
  rows: Pick<ImportedRows, 'check' | 'omitted'>;
}

/** Starting the import: all rows are read once more. */
export function useStartingImport({ source: { source, readAgain }, rows: { check, omitted } }: StartingImportOptions) {
  const requests = useActionRequests();
  const [isStarting, setStarting] = useState(false);
  return {
    isStarting,
    ...useStableFunctions({
      async start() {
        if (!source || !check) return;
        const { chosen, input, fixes } = source;
        setStarting(true);
        await readAgain(async () => {
          const items = [];
          for await (const item of importItems({ ...input, fixes, changes: check.changes, omitted })) items.push(item);
          await requests.start({ kind: 'import', about: { file: chosen.name, hash: chosen.hash }, items });
        });
        setStarting(false);
      },
    }),
  };
}
