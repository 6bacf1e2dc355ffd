/** Routes requests to the modules by path, and answers health checks, /docs and robots.txt. */
import type { ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { docsPage, docsStyle } from './docs-page.ts';
import { Problem, onError } from './problem.ts';
import type { Report } from './problem.ts';
import { createStaticSite } from './static-site.ts';

/** The bindings of a request. */
export interface RequestBindings {
  requestId: () => string;
  clientAddress: () => string;
  outgoing?: ServerResponse;
}

/**
 * https://www.rfc-editor.org/rfc/rfc9309: the sign-in page may be indexed, but not paths that need a key or a session.
 */
const robots = 'User-agent: *\nDisallow: /api/\nDisallow: /auth/\nDisallow: /service/\n';

type Answer = (request: Request, bindings: RequestBindings) => Response | Promise<Response>;

export function createRouting({
  requireReady,
  openApi,
  service,
  gateway,
  signIn,
  siteFolder,
  report,
}: {
  /** Throws while the database cannot be read. */
  requireReady: () => Promise<void>;
  openApi: object;
  service: Answer;
  gateway: Answer;
  signIn: Answer;
  siteFolder: string | undefined;
  report: Report;
}): Answer {
  const doors = new Hono<{ Bindings: RequestBindings }>();
  const openApiText = JSON.stringify(openApi);
  doors.get('/healthz', (c) => c.text('alive'));
  doors.get('/readyz', async (c) => {
    await requireReady();
    return c.text('ready');
  });
  doors.get('/robots.txt', (c) => c.text(robots));
  doors.get('/service/openapi.json', (c) => c.body(openApiText, 200, { 'content-type': 'application/json' }));
  doors.all('/service/openapi.json', () => {
    throw new Problem('route.method_not_allowed', { headers: { allow: 'GET, HEAD' } });
  });
  doors.get('/docs', (c) => c.html(docsPage(openApi)));
  doors.get('/docs.css', (c) => c.body(docsStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));
  doors.all('/service/*', (c) => service(c.req.raw, c.env));
  doors.all('/api/*', (c) => gateway(c.req.raw, c.env));
  doors.all('/auth/*', (c) => signIn(c.req.raw, c.env));
  if (siteFolder) doors.route('/', createStaticSite({ folder: siteFolder }));
  doors.notFound(() => {
    throw new Problem('route.not_found');
  });
  doors.onError(onError(report));
  return doors.fetch;
}
