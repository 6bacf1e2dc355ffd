import { useState } from 'react';
import { useActionRequests } from '../../data/actions/actions.ts';
import { shareHook } from '../../ui/share-hook.tsx';
import { importItems } from './rows/import-items.ts';
import { useImportSource, useReadAgain } from './use-import-source.ts';
import { useImportedRows } from './use-imported-rows.ts';

/** Starting the import: all rows are read once more. */
export const [StartingImportProvider, useStartingImport] = shareHook(function useStartingImportState() {
  const { source } = useImportSource();
  const readAgain = useReadAgain();
  const { check, omitted } = useImportedRows();
  const requests = useActionRequests();
  const [isStarting, setStarting] = useState(false);
  return {
    isStarting,
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
  };
});
