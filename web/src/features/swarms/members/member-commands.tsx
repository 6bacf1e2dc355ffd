import { useNavigate } from 'react-router';
import type { InvitationRole, Member, MemberRole } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { serverNow } from '../../../data/server-clock.ts';
import {
  createBulkCommand,
  selectionCommands,
  type RowCommand,
  type Items,
  type SelectionCommand,
} from '../../../bulk/commands.tsx';
import { CountList, countGroups } from '../../../shared/count-list.tsx';
import { createExport } from '../../../bulk/export-dialog.tsx';
import { consentLimits, hasPossibleEnd } from '../../../shared/ends/end-choices.ts';
import { LeaveSwarm } from '../../../shared/leave-one-swarm.tsx';
import { RoleChoice } from '../../../shared/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { rightsOnMember } from '../swarm-rights.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { ChangeMemberEnd } from './change-member-end.tsx';
import { memberFile } from './member-file.ts';
import { AllowLinks } from '../../../shared/shown-by-links.tsx';
import { useOpenMember } from './use-selected-member.ts';

/** What the user may do to the members of a swarm: to one, in the order of the menu of its row, and to the selected ones. */
export function useMemberCommands() {
  const { swarm, user_id } = useShownSwarm();
  const open = useOpenMember();
  const navigate = useNavigate();
  const { start } = useActionRequests();
  const roles = t.roles_in_sentences;
  const about = { swarm: { id: swarm.id, name: swarm.name } };
  const itemsOf = ({ id, name }: Member) => [{ id, name }];
  const isMine = (member: Member) => member.user_id === user_id;
  const rightsOn = (member: Member) => rightsOnMember({ swarm, member, mine: isMine(member) });
  const ofSelection = selectionCommands<'member_selection', SelectionCommand<Member>>('member_selection', {
    change_role: createBulkCommand<Member, { resource_type: MemberRole }, 'change_role'>({
      lines(member) {
        const { changeTo, reduceTo } = rightsOn(member);
        const items = itemsOf(member);
        const change = (resource_type: MemberRole) =>
          void start({ kind: 'change_role', about: { ...about, resource_type }, items });
        const narrow = (resource_type: InvitationRole) =>
          void start({ kind: 'narrow_role', about: { ...about, resource_type }, items });
        return [
          ...changeTo.map((role) => ({ label: t.members.make(roles[role]), run: () => change(role) })),
          ...reduceTo.map((role) => ({ label: t.members.only(roles[role]), run: () => narrow(role) })),
        ];
      },
      kind: 'change_role',
      texts: () => t.bulk.member_actions.change_role,
      // The server does not know which members of other users need an invitation.
      readsItems: true,
      concerns(member, { resource_type }) {
        const { changeTo, reduceTo } = rightsOn(member);
        return [...changeTo, ...reduceTo].includes(resource_type);
      },
      Fields: ({ about: chosen, onChange }) => (
        <RoleChoice
          label={t.bulk.role}
          value={chosen?.resource_type}
          onChange={(resource_type) => onChange({ resource_type })}
        />
      ),
      aboutOf: (chosen) => ({ ...about, ...chosen }),
    }),
    export: createExport<Member>({
      texts: () => t.bulk.member_actions.export,
      fileName: () => t.bulk.members_file,
      partsOf: memberFile,
    }),
    remove: createBulkCommand<Member, object, 'remove_member'>({
      lines(member) {
        if (!rightsOn(member).remove) return [];
        const run = () => void start({ kind: 'remove_member', about, items: itemsOf(member) });
        if (!isMine(member) || swarm.relation === 'owner') return [{ label: t.members.remove, run }];
        return [
          {
            label: t.members.leave.menu,
            run,
            Confirm: (props) => <LeaveSwarm swarm={swarm} device={member} {...props} />,
          },
        ];
      },
      kind: 'remove_member',
      texts: () => t.bulk.member_actions.remove,
      Summary: OwnersSummary,
      concerns: (member) => rightsOn(member).remove,
      aboutOf: () => about,
    }),
  });
  const show: RowCommand<Member> = {
    id: 'open',
    icon: 'device',
    lines: (member) => [{ label: t.members.open, run: () => open(member) }],
  };
  const place: RowCommand<Member> = {
    id: 'place',
    icon: 'device',
    lines: (member) =>
      isMine(member) && !member.position
        ? [
            {
              label: t.commands.device.place,
              run: () => void navigate(`/?sel=${member.id}`, { state: { place: member } }),
            },
          ]
        : [],
  };
  const invite: RowCommand<Member> = {
    id: 'invite',
    icon: 'send',
    lines(member) {
      const { invite: role } = rightsOn(member);
      if (!role) return [];
      const to = `/invite?${new URLSearchParams({ swarm: swarm.id, to: member.user_id, resource: member.id, role })}`;
      return [{ label: t.members.invite_as(roles[role]), run: () => void navigate(to) }];
    },
  };
  const changeEnd: RowCommand<Member> = {
    id: 'change_end',
    icon: 'clock',
    lines(member) {
      const { end } = rightsOn(member);
      if (!end || !hasPossibleEnd(serverNow(), consentLimits(end.latest))) return [];
      const isMine = member.user_id === user_id;
      return [
        {
          label: isMine ? t.ends.change : t.ends.shorten,
          run: () => undefined,
          Confirm: ({ onClose }) => <ChangeMemberEnd {...{ swarm, member, isMine, onClose }} />,
        },
      ];
    },
  };
  const allowLinks: RowCommand<Member> = {
    id: 'allow_links',
    icon: 'eye',
    lines(member) {
      if (!isMine(member)) return [];
      const isShown = member.shown_by_links === true;
      return [
        {
          label: isShown ? t.share_links.consent.menu_stop : t.share_links.consent.menu,
          run: () => undefined,
          Confirm: ({ onClose }) => <AllowLinks {...{ swarm, device: member, isShown, onClose }} />,
        },
      ];
    },
  };
  return {
    ofSelection,
    ofRow: [show, place, ofSelection.change_role, invite, changeEnd, allowLinks, ofSelection.remove],
  };
}

/** Whose devices they are. */
function OwnersSummary({ items }: Items<Member>) {
  if (items.length === 0) return null;
  return (
    <div>
      {t.bulk.owners}
      <CountList
        groups={countGroups(items.map(({ user_id }) => ({ id: user_id, name: user_id })))}
        line={t.bulk.device_line}
      />
    </div>
  );
}
