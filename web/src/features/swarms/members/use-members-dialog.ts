import { useState } from 'react';
import type { Member } from '@swarmdeck/bff/contract';
import type { BulkCommand } from '../../../bulk/commands.tsx';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';

type ShownDialog = { kind: 'add' } | { kind: 'selected'; command: BulkCommand<Member> };

/** The open dialog of the members: the owner adds own devices, or a command on the selected members. */
export function useMembersDialog() {
  const [shown, setShown] = useState<ShownDialog | null>(null);
  return {
    shown,
    ...useStableFunctions({
      add: () => setShown({ kind: 'add' }),
      openForSelected: (command: BulkCommand<Member>) => setShown({ kind: 'selected', command }),
      close: () => setShown(null),
    }),
  };
}
