import { z } from '@hono/zod-openapi';
import type { Resource } from '../contract.ts';
import { endpoint } from './endpoint.ts';
import type { ServiceApp } from './endpoint.ts';
import { bodyOf } from './json-body-stream.ts';
import type { Resources } from './resources.store.ts';

/** A file is `start`, the resources with `between` them, and `end`. */
interface FileFormat {
  type: string;
  start: string;
  between: string;
  end: string;
  write(resource: Resource): string;
}

const formats = ['csv', 'geojson'] as const;
type Format = (typeof formats)[number];
export type FileFormats = Record<Format, FileFormat>;

/** Exports the caller's resources as a file, in chunks: memory is flat at any length. */
export function exportRoutes(
  app: ServiceApp,
  { resources, files }: { resources: Resources; files: FileFormats },
): void {
  endpoint(
    app,
    {
      operation: 'exportResources',
      method: 'get',
      path: '/export',
      extension: true,
      summary: 'Export the resources of the caller as a file',
      description:
        'Oldest first, with their ids. `format` is `csv` (the default) or `geojson`. In CSV, a name or description ' +
        'that a spreadsheet would run as a formula begins with an apostrophe.',
      query: z.object({ format: z.enum(formats).optional() }),
      responses: {
        200: {
          description: 'The file',
          content: {
            'text/csv': { schema: z.string() },
            'application/geo+json': { schema: z.object({ type: z.literal('FeatureCollection') }) },
          },
        },
      },
    },
    async (c, { userId, query }) => {
      const { format = 'csv' } = query();
      const body = await bodyOf(c, fileParts({ chunks: resources.chunks(userId), file: files[format] }));
      return c.body(body, 200, {
        'content-type': files[format].type,
        'content-disposition': `attachment; filename="devices.${format}"`,
        'cache-control': 'private, no-cache',
      });
    },
  );
}

/** The parts of a file. */
export async function* fileParts({
  chunks,
  file: { start, between, end, write },
}: {
  chunks: AsyncIterable<Resource[]>;
  file: FileFormat;
}): AsyncGenerator<string, void> {
  yield start;
  let isFirst = true;
  for await (const chunk of chunks) {
    yield (isFirst ? '' : between) + chunk.map(write).join(between);
    isFirst = false;
  }
  yield end;
}
