import type { ActionSwarm, MemberRole } from '@swarmdeck/bff/contract';
import { RoleChoice } from '../../../bulk/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { createMemberAction } from './member-action.ts';

export const changeRole = (swarm: ActionSwarm) =>
  createMemberAction<{ resource_type: MemberRole }, 'change_role'>({
    name: 'change_role',
    kind: 'change_role',
    icon: 'edit',
    // The server does not know which members of other users need an invitation.
    readsItems: true,
    concerns: ({ actions }, { resource_type }) =>
      actions.changeTo.includes(resource_type) || actions.reduceTo.some((role) => role === resource_type),
    Fields: ({ about, onChange }) => (
      <RoleChoice
        label={t.bulk.role}
        value={about?.resource_type}
        onChange={(resource_type) => onChange({ resource_type })}
      />
    ),
    aboutOf: (about) => ({ swarm, ...about }),
  });
