import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { InvitationRole, Member, MemberRole } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { serverNow } from '../../../data/server-clock.ts';
import {
  ActionDialog,
  namedItems,
  selectionCommands,
  type CommandLine,
  type Items,
  type RowCommand,
  type SelectionCommand,
} from '../../../bulk/commands.tsx';
import { RowMenu } from '../../../bulk/row-menu.tsx';
import { CountList, countGroups } from '../../../shared/count-list.tsx';
import { createExport } from '../../../bulk/export-dialog.tsx';
import { consentLimits, hasPossibleEnd, type ChosenEnd } from '../../../shared/ends/end-choices.ts';
import { LeaveSwarm } from '../../../shared/leave-one-swarm.tsx';
import { RoleChoice } from '../../../shared/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { rightsOnMember } from '../swarm-rights.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { ChangeMemberEnd } from './change-member-end.tsx';
import { memberFile } from './member-file.ts';
import { LaterEndField, laterEnds, OfferEnd } from './offer-end.tsx';
import { AllowLinks } from '../../../shared/shown-by-links.tsx';
import { useOpenMember } from './use-selected-member.ts';

/** What the commands on members know besides these. */
function useMemberContext() {
  const { swarm, user_id } = useShownSwarm();
  return { swarm, user_id, open: useOpenMember(), navigate: useNavigate(), start: useActionRequests().start };
}

type MemberContext = ReturnType<typeof useMemberContext>;

const isMine = (member: Member, { user_id }: MemberContext) => member.user_id === user_id;
const rightsOn = (member: Member, context: MemberContext) =>
  rightsOnMember({ swarm: context.swarm, member, mine: isMine(member, context) });
/** What an action on one member says of its swarm and of the member. */
const aboutSwarm = ({ swarm: { id, name } }: MemberContext) => ({ swarm: { id, name } });
const onlyItem = (member: Member) => namedItems([member]);

/** A line that opens a dialog, which does the rest. */
const asked = (label: string, dialog: (onClose: () => void) => ReactNode): CommandLine => ({
  label,
  run: () => undefined,
  ask: ({ onClose }) => dialog(onClose),
});

const changeRole: SelectionCommand<Member, MemberContext> = {
  lines(member, context) {
    const { changeTo, reduceTo } = rightsOn(member, context);
    const items = onlyItem(member);
    const change = (resource_type: MemberRole) =>
      void context.start({ kind: 'change_role', about: { ...aboutSwarm(context), resource_type }, items });
    const narrow = (resource_type: InvitationRole) =>
      void context.start({ kind: 'narrow_role', about: { ...aboutSwarm(context), resource_type }, items });
    const roles = t.roles_in_sentences;
    return [
      ...changeTo.map((role) => ({ label: t.members.make(roles[role]), run: () => change(role) })),
      ...reduceTo.map((role) => ({ label: t.members.only(roles[role]), run: () => narrow(role) })),
    ];
  },
  texts: () => t.bulk.member_actions.change_role,
  // The server does not know which members of other users need an invitation: it reads none of them by the filter.
  Dialog(dialog) {
    const context = useMemberContext();
    const [role, choose] = useState<MemberRole>();
    return (
      <ActionDialog
        dialog={dialog}
        about={role}
        fields={<RoleChoice label={t.bulk.role} value={role} onChange={choose} />}
        concerns={(member, resource_type) => {
          const { changeTo, reduceTo } = rightsOn(member, context);
          return [...changeTo, ...reduceTo].includes(resource_type);
        }}
        actionOf={(members, resource_type) => ({
          kind: 'change_role',
          about: { ...aboutSwarm(context), resource_type },
          items: namedItems(members),
        })}
      />
    );
  },
};

const remove: SelectionCommand<Member, MemberContext> = {
  lines(member, context) {
    if (!rightsOn(member, context).remove) return [];
    const { swarm, start } = context;
    const run = () => void start({ kind: 'remove_member', about: aboutSwarm(context), items: onlyItem(member) });
    if (!isMine(member, context) || swarm.relation === 'owner') return [{ label: t.members.remove, run }];
    const ask: CommandLine['ask'] = (asking) => <LeaveSwarm swarm={swarm} device={member} {...asking} />;
    return [{ label: t.members.leave.menu, run, ask }];
  },
  texts: () => t.bulk.member_actions.remove,
  usesFilter: true,
  Dialog(dialog) {
    const context = useMemberContext();
    return (
      <ActionDialog
        dialog={dialog}
        about={aboutSwarm(context)}
        concerns={(member) => rightsOn(member, context).remove}
        actionOf={(members, about) => ({ kind: 'remove_member', about, items: namedItems(members) })}
        Summary={OwnersSummary}
      />
    );
  },
};

const offerEnd: SelectionCommand<Member, MemberContext> = {
  lines(member, context) {
    if (!rightsOn(member, context).offersEnd) return [];
    return [asked(t.ends.offer, (onClose) => <OfferEnd swarm={context.swarm} member={member} onClose={onClose} />)];
  },
  texts: () => t.bulk.member_actions.offer_end,
  // The server does not know which of them end before that, so it reads none by the filter.
  Dialog(dialog) {
    const context = useMemberContext();
    const [chosen, choose] = useState<ChosenEnd>(laterEnds.initial);
    return (
      <ActionDialog
        dialog={dialog}
        about={chosen}
        fields={<LaterEndField value={chosen} onChange={choose} />}
        concerns={(member, end) =>
          rightsOn(member, context).offersEnd && laterEnds.of(end, member.ends_at) !== undefined
        }
        // Without an end, it concerns no member.
        actionOf={(members, end) => ({
          kind: 'offer_end',
          about: { ...aboutSwarm(context), ends_at: laterEnds.of(end) ?? '' },
          items: namedItems(members),
        })}
        Summary={OwnersSummary}
      />
    );
  },
};

/** What the user may do to the selected members. */
export const selectedMemberCommands = selectionCommands<'member_selection', SelectionCommand<Member, MemberContext>>(
  'member_selection',
  {
    change_role: changeRole,
    offer_end: offerEnd,
    export: createExport<Member, MemberContext>({
      texts: () => t.bulk.member_actions.export,
      fileName: () => t.bulk.members_file,
      partsOf: memberFile,
    }),
    remove,
  },
);

/** What the user may do to one member, in the order of the menu of its row. */
const rowCommands: readonly RowCommand<Member, MemberContext>[] = [
  {
    id: 'open',
    icon: 'device',
    lines: (member, { open }) => [{ label: t.members.open, run: () => open(member) }],
  },
  {
    id: 'place',
    icon: 'device',
    lines(member, context) {
      if (!isMine(member, context) || member.position) return [];
      const run = () => void context.navigate(`/?sel=${member.id}`, { state: { place: member } });
      return [{ label: t.commands.device.place, run }];
    },
  },
  selectedMemberCommands.change_role,
  {
    id: 'invite',
    icon: 'send',
    lines(member, context) {
      const { invite: role } = rightsOn(member, context);
      if (!role) return [];
      const asked = { swarm: context.swarm.id, to: member.user_id, resource: member.id, role };
      const run = () => void context.navigate(`/invite?${new URLSearchParams(asked)}`);
      return [{ label: t.members.invite_as(t.roles_in_sentences[role]), run }];
    },
  },
  {
    id: 'change_end',
    icon: 'clock',
    lines(member, context) {
      const { end } = rightsOn(member, context);
      if (!end || !hasPossibleEnd(serverNow(), consentLimits(end.latest))) return [];
      const mine = isMine(member, context);
      return [
        asked(mine ? t.ends.change : t.ends.shorten, (onClose) => (
          <ChangeMemberEnd swarm={context.swarm} member={member} isMine={mine} onClose={onClose} />
        )),
      ];
    },
  },
  selectedMemberCommands.offer_end,
  {
    id: 'allow_links',
    icon: 'eye',
    lines(member, context) {
      if (!isMine(member, context)) return [];
      const isShown = member.shown_by_links === true;
      const { menu, menu_stop } = t.share_links.consent;
      return [
        asked(isShown ? menu_stop : menu, (onClose) => (
          <AllowLinks swarm={context.swarm} device={member} isShown={isShown} onClose={onClose} />
        )),
      ];
    },
  },
  selectedMemberCommands.remove,
];

/** The menu of the commands on one member. */
export function MemberMenu({ member, tabIndex }: { member: Member; tabIndex: 0 | -1 }) {
  const context = useMemberContext();
  return (
    <RowMenu
      context={context}
      tabIndex={tabIndex}
      commands={rowCommands}
      item={member}
      label={t.members.actions_of(member.name)}
    />
  );
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
