import { useCallback } from 'react';
import type { Device } from '@swarmdeck/bff/contract';

export function useOwnerOf({ userId }: { userId: string | undefined }) {
  return {
    /** The owner of a device of another user; null for an own one, and until it is known who the user is. */
    ownerOf: useCallback(({ user_id }: Device) => (user_id === (userId ?? user_id) ? null : user_id), [userId]),
  };
}
