import { ownTracksFriends, ownTracksReport, position } from '../../contract.ts';
import { validBody } from '../../sent-body.ts';
import { endpointsOf, type ServiceApp } from '../endpoint/endpoint.ts';
import { json } from '../endpoint/openapi.ts';
import { friendsAtMost, membersAtMost, type OwnTracks } from './owntracks.store.ts';
import type { ResourceUseCases } from '../resources/resources.use-cases.ts';

/** Also takes Basic authentication (key-guard.ts). */
export const ownTracksPath = '/owntracks';

/** Extension: a phone with the app OwnTracks is a device. */
export function ownTracksRoutes(
  app: ServiceApp,
  { ownTracks, useCases }: { ownTracks: OwnTracks; useCases: Pick<ResourceUseCases, 'updateResource'> },
): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });

  endpoint(
    {
      operation: 'reportOwnTracks',
      method: 'post',
      path: ownTracksPath,
      summary: 'Report a position with the app OwnTracks',
      description:
        'For the mode HTTP of the app: a `location` sets the position of the device. The response has the ' +
        `positions and names of up to ${friendsAtMost} devices whose messages it may receive, those that changed last; of very ` +
        `many members, ${membersAtMost.toLocaleString('en')} are looked at. Other types, and an empty body, change nothing and get an ` +
        'empty array. Only with the key of a device, in the header for keys, or as the password of Basic ' +
        'authentication with the id of the device as the user name.',
      security: [{ apiKey: [] }, { basic: [] }],
      body: ownTracksReport,
      responses: { 200: { description: 'What the app shows on its map', content: json(ownTracksFriends) } },
      fails: [404, 507],
    },
    async (c, { userId, receiveBody, reply }) => {
      // The app sends an empty body when its user deletes a friend.
      if (c.req.header('content-length') === '0') return reply([]);
      const { _type, lat, lon } = (await receiveBody()).check();
      if (_type !== 'location') return reply([]);
      const id = c.env.caller.resourceId!;
      const sent = validBody({ position: position.parse({ longitude: lon, latitude: lat }) });
      await useCases.updateResource({ userId, id, sent, skipsIfEqual: true });
      return reply(await ownTracks.friendsOf({ userId, id }));
    },
  );
}
