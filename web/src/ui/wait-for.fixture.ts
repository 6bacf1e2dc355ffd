import { act } from 'react';
import { vi } from 'vitest';

/**
 * Waits until a check passes. Meanwhile React renders changes when they happen, as for a user. Within `act`, it would render those that a
 * timer makes only after the check has passed.
 */
export async function waitFor(check: () => unknown) {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };
  const { IS_REACT_ACT_ENVIRONMENT } = environment;
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  try {
    await vi.waitFor(check);
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = IS_REACT_ACT_ENVIRONMENT;
  }
  await act(async () => {});
}
