import { z } from '@hono/zod-openapi';
import { directoryPage, directorySorts } from '../../contract.ts';
import { pageParameters, searchParameter, wholeNumber } from '../http/query.ts';
import type { Directory } from './directory.store.ts';
import { endpointsOf } from '../endpoint/endpoint.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import { json } from '../endpoint/openapi.ts';
import { queryLimits } from '../limits/part-limits.ts';

const query = z.object({
  q: searchParameter.openapi({
    type: 'string',
    maxLength: queryLimits.searchLength,
    param: { description: 'Words that must all be in the name, the description or the owner’s name' },
  }),
  sort: z
    .enum(directorySorts)
    .default('-active')
    .openapi({ param: { description: '`-active`: the most recently active ones first' } }),
  cursor: pageParameters().cursor.openapi({ type: 'string', param: { description: '`next` of the previous page' } }),
  limit: wholeNumber({ least: 1, most: queryLimits.page })
    .default(50)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: queryLimits.page,
      default: 50,
      param: { description: 'The number of swarms of a page' },
    }),
});

/** Extension: the directory of public swarms. */
export function directoryRoutes(app: ServiceApp, { directory }: { directory: Directory }): void {
  const endpoint = endpointsOf(app, { tag: 'Swarms', isExtension: true });
  endpoint(
    {
      operation: 'listDirectory',
      method: 'get',
      path: '/directory',
      summary: 'List the public swarms of all users that their owners list',
      description:
        'In pages. A swarm is `listed` by its owner, and must be public. Those of users who are disabled are left out. A ' +
        'swarm that changes its place while pages are read may be in two pages, or in none.',
      query,
      responses: { 200: { description: 'One page', content: json(directoryPage) } },
    },
    async (_c, { requester, query: read, reply }) => reply(await directory.page({ requester, ...read() })),
  );
}
