import type { ActionItem, ActionKinds, ActionOf, NamedItem } from '@swarmdeck/bff/contract';
import { registerAction } from '../../api/action-kinds.ts';
import type { Change } from '../../api/changes.ts';
import { membershipTarget } from '../../api/memberships.ts';
import { actionLabels } from '../../bulk/action-labels.tsx';
import { t } from '../../text/text.ts';

type MemberKind = 'add_member' | 'change_role' | 'narrow_role' | 'remove_member';

const ofMembers = <Kind extends MemberKind>(kind: Kind, texts: Exclude<MemberKind, 'narrow_role'>) => ({
  ...actionLabels<Kind>(
    () => t.bulk.kinds[texts],
    ({ swarm }, item) => ({ swarm: swarm.name, name: item?.name ?? '' }),
  ),
  targets: ({ id }: ActionItem<Kind>, { swarm }: ActionKinds[Kind]['about']) => [
    membershipTarget({ swarm_id: swarm.id, resource_id: id }),
  ],
  changes: ({ about, items = [], total }: ActionOf<Kind>): Change[] => {
    const [first] = items as NamedItem[];
    const of = first && total === 1 ? { resource_id: first.id } : {};
    return [{ type: 'membership.changed', data: { swarm_id: about.swarm.id, ...of } }];
  },
});

registerAction('add_member', ofMembers('add_member', 'add_member'));
registerAction('change_role', ofMembers('change_role', 'change_role'));
registerAction('narrow_role', ofMembers('narrow_role', 'change_role'));
registerAction('remove_member', ofMembers('remove_member', 'remove_member'));

registerAction('delete_swarm', {
  ...actionLabels(
    () => t.bulk.kinds.delete_swarm,
    (_about, item) => ({ name: item?.name ?? '' }),
  ),
  targets: ({ id }) => [`swarm:${id}`],
  changes: ({ items = [], failed }) =>
    failed > 0 ? [] : items.map(({ id }) => ({ type: 'swarm.destroyed', data: { id } })),
});
