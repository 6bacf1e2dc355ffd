import { owntracksRows } from './contract.ts';
import { ownTracksFriends, ownTracksReport } from './owntracks.schema.ts';
import { Problem } from '../../core/problem.ts';
import { validBody } from '../../core/sent-body.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import { noteUnused, type ServiceApp } from '../../core/endpoint/service-app.ts';
import { json } from '../../core/endpoint/openapi.ts';
import { friendsAtMost, membersAtMost, type OwnTracks } from './owntracks.store.ts';
import type { PhoneReport } from '../../core/store/presence-row.ts';
import type { Messages } from '../messages/messages.ts';
import { messageIn, phoneIn, positionIn } from './owntracks.ts';
import { tooInaccurate, type PositionReport } from '../../core/resources/position-reports.ts';
import type { ResourceUseCases } from '../../core/resources/resources.use-cases.ts';

const operation = 'reportOwnTracks';
const encrypted = { code: 'report.encrypted', detail: 'Encrypted reports cannot be read', operation };

/** Extension: a phone with the app OwnTracks is a device. */
export function ownTracksRoutes(
  app: ServiceApp,
  {
    ownTracks,
    useCases,
    send,
    said,
  }: {
    ownTracks: OwnTracks;
    useCases: Pick<ResourceUseCases, 'updateResource'>;
    send: Messages['send'];
    /** Notes what the phone says about itself. */
    said: (id: string, phone: PhoneReport) => void;
  },
): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });

  endpoint(
    {
      operation,
      method: 'post',
      path: owntracksRows.passwordPaths[0],
      summary: 'Report a position with the app OwnTracks',
      description:
        'For the mode HTTP of the app: a `location` is a report of the position of the device, with its time and its accuracy. The response has the ' +
        `positions and names of up to ${friendsAtMost} devices whose messages it may receive, those that changed last; of very ` +
        `many members, ${membersAtMost.toLocaleString('en')} are looked at. A \`transition\` and a \`waypoint\` are messages of ` +
        'the device, if it is a producer. They, other types and an empty body get an empty array. What is not used is ignored. An ' +
        '`encrypted` report cannot be read, and a position that is too inaccurate is not used: the page of the device says so. Only with the key of a device, in the header for keys, or as the password of Basic ' +
        'authentication with the id of the device as the user name.',
      security: [{ apiKey: [] }, { basic: [] }],
      body: ownTracksReport,
      responses: { 200: { description: 'What the app shows on its map', content: json(ownTracksFriends) } },
      fails: [404, 507],
    },
    async (c, { userId, receiveBody, reply }) => {
      // The app sends an empty body when its user deletes a friend.
      if (c.req.header('content-length') === '0') return reply([]);
      const report = (await receiveBody()).check();
      const id = c.env.caller.resourceId!;
      if (report._type === 'encrypted') noteUnused(c, encrypted);
      const payload = messageIn(report);
      if (payload) await send({ userId, id, body: { payload: JSON.stringify(payload) } }).catch(unlessProducer);
      if (report._type !== 'location') return reply([]);
      const onInaccurate = (position: PositionReport) => noteUnused(c, tooInaccurate(position, operation));
      const sentBody = validBody(positionIn(report));
      await useCases.updateResource({ userId, id, sentBody, skipsIfEqual: true, isOfDevice: true, onInaccurate });
      const phone = phoneIn(report);
      if (phone) said(id, phone);
      return reply(await ownTracks.friendsOf({ userId, id }));
    },
  );
}

/** What a phone that sends to nobody says about a place is for nobody. */
function unlessProducer(error: unknown) {
  if (!(error instanceof Problem && error.code === 'message.not_producer')) throw error;
}
