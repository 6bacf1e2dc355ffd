import type { InvitationAction } from './invitation-action.tsx';
import { sendAgain } from './send-again.job.tsx';
import { withdraw } from './withdraw.job.tsx';

/** The menu of the selected invitations, in its order. */
export const boardActions: readonly InvitationAction[] = [sendAgain, withdraw];
