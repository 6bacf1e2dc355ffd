/** What the app reads (`GET`), by the path. The read models and the capabilities add theirs. */
import type { ActivityPage } from './activity.schema.ts';
import type { DirectoryPage } from './directory.schema.ts';
import type { Invitation } from './invitations.schema.ts';
import type { Resource } from './resources.schema.ts';
import type { ListedMember, SilenceNotices, Swarm } from './swarms.schema.ts';
import type {
  Account,
  AccountKeys,
  ConfirmingWays,
  DeviceKeys,
  Session,
  SignInOptions,
  UserDetails,
  UserPage,
} from './web-api.ts';

export interface Answers {
  '/api/account': Account;
  '/api/account/keys': AccountKeys;
  '/api/account/sessions': { items: Session[] };
  '/api/activity': ActivityPage;
  '/api/devices/:id/keys': DeviceKeys;
  '/api/directory': DirectoryPage;
  '/api/operator/users': UserPage;
  '/api/operator/users/:name': UserDetails;
  '/api/resources': Resource[];
  '/api/resources/:id': Resource;
  '/api/resources/:id/swarms': Swarm[];
  '/api/swarms/:id/invitations': Invitation[];
  '/api/swarms/:id/resources': ListedMember[];
  '/api/swarms/:id/silence-notices': SilenceNotices;
  '/auth/confirm': ConfirmingWays;
  '/auth/options': SignInOptions;
}
