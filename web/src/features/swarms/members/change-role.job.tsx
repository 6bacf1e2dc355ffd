import type { MemberRole } from '@swarmdeck/bff/contract';
import { memberRoles } from '@swarmdeck/bff/limits';
import { t } from '../../../text/text.ts';
import { RoleSign } from '../../../ui/role-chip.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { createMemberAction } from './member-action.ts';

export const { action: changeRole, ResumeJobs } = createMemberAction<{ resource_type: MemberRole }>({
  name: 'change_role',
  icon: 'edit',
  concerns: ({ acts }, { resource_type }) => acts.make.includes(resource_type) || acts.narrow.includes(resource_type),
  Fields: ({ about, onChange }) => (
    <Segmented<MemberRole>
      label={t.bulk.role}
      value={about?.resource_type ?? ''}
      options={memberRoles.map((value) => ({
        value,
        label: t.shell.roles[value],
        icon: <RoleSign role={value} />,
      }))}
      onChange={(resource_type) => onChange({ resource_type })}
    />
  ),
  requestOf: ({ swarm_id, resource_id }, body) => ({
    method: 'PUT',
    path: `/api/swarms/${swarm_id}/resources/${resource_id}`,
    body,
  }),
  bytesOf: () => 200,
});
