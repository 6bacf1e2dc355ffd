import { useState } from 'react';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import type { InvalidRow } from './rows/dry-run.ts';

/** The row that is being corrected in a dialog. A new run may find no error in this row, or in any. */
export function useFixingRow() {
  const [row, open] = useState<InvalidRow | null>(null);
  return { row, open, ...useStableFunctions({ close: () => open(null) }) };
}
