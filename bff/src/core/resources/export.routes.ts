import { z } from '@hono/zod-openapi';
import { deviceFiles, exportColumns, type DeviceFormat } from './device-export.ts';
import { byAccept, prefers } from '../http/accept.ts';
import { paramsOf } from '../http/query.ts';
import { bodyOf, type BodyChunk } from '../http/streamed-body.ts';
import type { Requester } from '../limits/fair-queue.ts';
import { machineTypes } from '../limits/field-rules.ts';
import type { Shape } from '../store/shape.ts';
import { endpointsOf, notStored } from '../endpoint/endpoint.ts';
import type { BytesChunk } from '../endpoint/list-chunks.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import { resourceChunk } from './resource-chunk.shape.ts';
import { featureCollection, fileChunks, chunksOf } from './resource-files.ts';

const exportQuery = z.object({
  format: z
    .enum(['csv', 'geojson'])
    .optional()
    .openapi({
      default: 'csv',
      param: { description: 'The format of the file. If absent, `Accept` may prefer the other one' },
    }),
  q: z
    .string()
    .optional()
    .openapi({ param: { description: 'Words in the name or description, or the beginning of the id' } }),
  machine_type: z
    .string()
    .optional()
    .openapi({
      example: 'pc,bug',
      param: { description: `One or more of ${machineTypes.join(', ')}, separated by commas` },
    }),
  swarm: z
    .string()
    .optional()
    .openapi({ param: { description: 'The id of a swarm that the resources are in, or `none`' } }),
  placed: z
    .string()
    .optional()
    .openapi({ enum: ['yes', 'no'], param: { description: 'Whether the resources have a position' } }),
  bbox: z
    .string()
    .optional()
    .openapi({ param: { description: '`west,south,east,north` in degrees' } }),
});

const csvText = z.string().openapi({
  description:
    'UTF-8 with a byte-order mark, without which spreadsheets do not read it as UTF-8; many clients remove it. Cells are separated by commas, ' +
    'lines end with CR LF. The first line has the names of the columns. Cells of a resource without a description or a ' +
    'position are empty.',
  pattern: `^\\uFEFF?${exportColumns.join(',')}\\r\\n`,
  example: `\uFEFF${exportColumns.join(',')}\r\n019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10,Tide gauge,bug,,8.13,54.18,,,,,2026-01-02T03:04:05.678Z\r\n`,
});

/** Exports the caller's resources as a file, in chunks: memory is flat at any length. */
export function exportRoutes(
  app: ServiceApp,
  {
    all,
    matching,
  }: {
    all(requester: Requester, format: DeviceFormat): AsyncIterable<BodyChunk>;
    /** What the shape makes of each chunk. @throws Problem `query.invalid`, before the first one */
    matching(options: { requester: Requester; params: URLSearchParams; shape: Shape }): AsyncIterable<BytesChunk>;
  },
): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });
  endpoint(
    {
      operation: 'exportResources',
      method: 'get',
      path: '/export',
      summary: 'Export the resources of the caller as a file',
      description:
        'Oldest first, with their ids, as CSV or GeoJSON. In CSV, an apostrophe stands before each part of a name or ' +
        'description that a spreadsheet could run as a formula. The other parameters are the filters of ' +
        'the device list; without them, the file has all resources.',
      query: exportQuery,
      responses: {
        200: {
          description: 'The file',
          content: {
            'text/csv': { schema: csvText },
            'application/geo+json': { schema: featureCollection },
          },
        },
      },
    },
    async (c, { requester, query }) => {
      const { format = prefers(c.req.header('accept'), deviceFiles.geojson.type, 'text/csv') ? 'geojson' : 'csv' } =
        query();
      const params = paramsOf(c.req);
      const isFiltered = [...params.keys()].some((name) => name !== 'format');
      const found = () => matching({ requester, params, shape: resourceChunk({ format }) });
      const chunks = isFiltered ? chunksOf(found(), format) : all(requester, format);
      const body = await bodyOf(c, fileChunks({ format, chunks }), c.env.report);
      return c.body(body, 200, {
        'content-type': deviceFiles[format].type,
        'content-disposition': `attachment; filename="devices.${format}"`,
        ...notStored,
        ...byAccept,
      });
    },
  );
}
