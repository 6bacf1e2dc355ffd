import type { MemberRole } from '@swarmdeck/bff/contract';
import { RoleChoice } from '../../../bulk/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { createMemberAction } from './member-action.ts';
import { roleRequest } from './members.api.ts';

export const { action: changeRole, ResumeJobs } = createMemberAction<{ resource_type: MemberRole }>({
  name: 'change_role',
  icon: 'edit',
  concerns: ({ acts }, { resource_type }) => acts.make.includes(resource_type) || acts.narrow.includes(resource_type),
  Fields: ({ about, onChange }) => (
    <RoleChoice
      label={t.bulk.role}
      value={about?.resource_type}
      onChange={(resource_type) => onChange({ resource_type })}
    />
  ),
  requestOf: ({ swarm_id, resource_id }, { resource_type }) => roleRequest({ swarm_id, resource_id, resource_type }),
  bytesOf: () => 200,
});
