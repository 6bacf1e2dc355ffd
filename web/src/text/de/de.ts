import { account } from './account.ts';
import { board } from './board.ts';
import { device } from './device.ts';
import { devices } from './devices.ts';
import { help } from './help.ts';
import { importing } from './import.ts';
import { invitations } from './invitations.ts';
import { inviteCode, inviting } from './invite.ts';
import { map } from './map.ts';
import { addMembers, members } from './members.ts';
import { palette } from './palette.ts';
import { savedViews } from './saved-views.ts';
import { leaving, notFound, shell } from './shell.ts';
import { starting } from './start.ts';
import { swarms } from './swarms.ts';
import { wall } from './wall.ts';

/** Every text of the app in German. */
export const de = {
  account,
  add_members: addMembers,
  board,
  device,
  devices,
  help,
  import: importing,
  invitations,
  invite: inviting,
  invite_code: inviteCode,
  leaving,
  map,
  members,
  not_found: notFound,
  palette,
  shell,
  start: starting,
  swarms,
  views: savedViews,
  wall,
};
