import type { Translation } from '../translation.ts';
import { account } from './account.ts';
import { activity } from './activity.ts';
import { app_update } from './app-update.ts';
import { audience } from './audience.ts';
import { board } from './board.ts';
import { bulk } from './bulk.ts';
import { commands } from './commands.ts';
import { leaving, notFound, rolesInSentences, textErrors } from './common.ts';
import { connect } from './connect.ts';
import { device } from './device.ts';
import { devices } from './devices.ts';
import { ends } from './ends.ts';
import { handover } from './handover.ts';
import { help } from './help.ts';
import { importing } from './import.ts';
import { invitations } from './invitations.ts';
import { inviteCode, inviting } from './invite.ts';
import { links } from './links.ts';
import { managers } from './managers.ts';
import { map } from './map.ts';
import { addMembers, members } from './members.ts';
import { messages } from './messages.ts';
import { operator } from './operator.ts';
import { outbox } from './outbox.ts';
import { palette } from './palette.ts';
import { problems } from './problems.ts';
import { requests } from './requests.ts';
import { savedViews } from './saved-views.ts';
import { shareLinks } from './share-links.ts';
import { shell } from './shell.ts';
import { starting } from './start.ts';
import { streets } from './streets.ts';
import { swarms } from './swarms.ts';
import { values } from './values.ts';
import { wall } from './wall.ts';

/** Every text of the app in German. */
const german = {
  account,
  activity,
  add_members: addMembers,
  app_update,
  audience,
  board,
  bulk,
  commands,
  connect,
  device,
  devices,
  ends,
  handover,
  help,
  import: importing,
  invitations,
  invite: inviting,
  invite_code: inviteCode,
  links,
  leaving,
  managers,
  map,
  members,
  messages,
  not_found: notFound,
  operator,
  outbox,
  palette,
  problems,
  requests,
  roles_in_sentences: rolesInSentences,
  share_links: shareLinks,
  shell,
  start: starting,
  streets,
  swarms,
  text_errors: textErrors,
  values,
  views: savedViews,
  wall,
};

/** A missing key or a wrong placeholder fails the type check here. */
export const texts: Translation<typeof german> = german;
