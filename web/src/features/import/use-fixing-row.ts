import { useState } from 'react';
import { shareHook } from '../../ui/share-hook.tsx';
import type { InvalidRow } from './rows/dry-run.ts';

/** The row that is being corrected in a dialog. A new run may find no error in this row, or in any. */
export const [FixingRowProvider, useFixingRow] = shareHook(function useFixingRowState() {
  const [row, open] = useState<InvalidRow | null>(null);
  return { row, open, close: () => open(null) };
});
