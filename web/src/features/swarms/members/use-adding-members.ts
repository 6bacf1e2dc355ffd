import { useState } from 'react';
import { shareHook } from '../../../ui/share-hook.tsx';

/** The dialog in which the owner of the swarm adds own devices. */
export const [AddingMembersProvider, useAddingMembers] = shareHook(function useAddingMembersState() {
  const [isOpen, setOpen] = useState(false);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
});
