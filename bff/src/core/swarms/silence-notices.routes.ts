import { silenceNotices } from '../../contract.ts';
import { minuteMs } from '../limits/durations.ts';
import { noticeMs } from '../limits/part-limits.ts';
import { endpointsOf } from '../endpoint/endpoint.ts';
import { json, pathIds } from '../endpoint/openapi.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import type { Stores } from '../stores.ts';
import type { SilenceNotices } from './silence-notices.store.ts';
import type { UseCases } from '../use-cases.ts';

const path = '/swarms/{swarm_id}/silence-notices';
const params = pathIds('swarm_id');
const description =
  'For the owner of the swarm, its managers and its watchers, each for the caller alone. They are entries of the activity, which are ' +
  'also sent to the caller’s webhook and browsers: one for all members that fall silent together, at most every ' +
  `${noticeMs.pair / minuteMs} minutes for a swarm, without the caller’s own devices, of which they have other notices.`;

/** Extension: who is told when members of a swarm are silent. */
export function silenceNoticeRoutes(
  app: ServiceApp,
  { useCases, notices, swarms }: Pick<Stores, 'swarms'> & { useCases: UseCases; notices: SilenceNotices },
): void {
  const endpoint = endpointsOf(app, { tag: 'Swarms', isExtension: true });
  const responses = { 200: { description: 'Whether the caller gets them', content: json(silenceNotices) } };
  endpoint(
    {
      operation: 'getSilenceNotices',
      method: 'get',
      path,
      summary: 'Get whether you are told when members of a swarm are silent',
      description: `${description} The owner gets them unless they are switched off, others do not unless they are switched on.`,
      params,
      responses,
      fails: [403, 404],
    },
    async (_c, { userId, params: { swarm_id: id }, reply }) => {
      await swarms.require({ userId, id, operation: 'getSilenceNotices' });
      return reply({ enabled: await notices.find({ swarmId: id, userId }) });
    },
  );

  endpoint(
    {
      operation: 'setSilenceNotices',
      method: 'put',
      path,
      summary: 'Choose whether you are told when members of a swarm are silent',
      description,
      params,
      body: silenceNotices,
      responses,
      fails: [403, 404, 507],
    },
    async (_c, { userId, params: { swarm_id: id }, receiveBody, reply }) =>
      reply(await useCases.setSilenceNotices({ userId, id, sentBody: await receiveBody() })),
  );
}
