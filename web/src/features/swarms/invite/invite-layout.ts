import type { FC } from 'react';
import type { Invite } from './use-invite.ts';

/** What differs between a phone and a desk. The form is the same, and keeps its place while a phone is turned. */
export interface InviteLayout {
  title(): string;
  /** In the form, below the codes. */
  UnderCodes: FC<{ invite: Invite }>;
  BesideForm: FC<{ invite: Invite }>;
  Foot: FC<{ invite: Invite; backTo: string }>;
}
