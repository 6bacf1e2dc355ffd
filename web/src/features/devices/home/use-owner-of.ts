import { useCallback } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { shareHook } from '../../../ui/share-hook.tsx';

export const [OwnerProvider, useOwnerOf] = shareHook(function useOwnerOfState(options: { userId: string | undefined }) {
  const { userId } = options;
  return {
    /** The owner of a device of another user; null for an own one, and until it is known who the user is. */
    ownerOf: useCallback(({ user_id }: Device) => (user_id === (userId ?? user_id) ? null : user_id), [userId]),
  };
});
