/** Routes requests to the modules by path, and answers health checks, /docs and robots.txt. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { docsPage, docsStyle } from './docs-page.ts';
import type { Log } from '../log.ts';
import { Problem, problemResponse, onError } from './problem.ts';
import type { Report } from './problem.ts';
import type { AppFetch } from './server.ts';
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
  addressOf,
  newId,
  log,
  report,
}: {
  /** Throws while the database cannot be read. */
  requireReady: () => Promise<void>;
  openApi: object;
  service: Answer;
  gateway: Answer;
  signIn: Answer;
  siteFolder: string | undefined;
  addressOf: (incoming: IncomingMessage) => string;
  newId: () => string;
  log: Log;
  report: Report;
}): AppFetch {
  const routes = new Hono<{ Bindings: RequestBindings }>();
  const openApiText = JSON.stringify(openApi);
  routes.get('/healthz', (c) => c.text('alive'));
  routes.get('/readyz', async (c) => {
    await requireReady();
    return c.text('ready');
  });
  routes.get('/robots.txt', (c) => c.text(robots));
  routes.get('/service/openapi.json', (c) => c.body(openApiText, 200, { 'content-type': 'application/json' }));
  routes.all('/service/openapi.json', () => {
    throw new Problem('route.method_not_allowed', { headers: { allow: 'GET, HEAD' } });
  });
  routes.get('/docs', (c) => c.html(docsPage(openApi)));
  routes.get('/docs.css', (c) => c.body(docsStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));
  routes.all('/service/*', (c) => service(c.req.raw, c.env));
  routes.all('/api/*', (c) => gateway(c.req.raw, c.env));
  routes.all('/auth/*', (c) => signIn(c.req.raw, c.env));
  if (siteFolder) routes.route('/', createStaticSite({ folder: siteFolder }));
  routes.notFound(() => {
    throw new Problem('route.not_found');
  });
  routes.onError(onError(report));

  return (request, { incoming, outgoing } = {}) => {
    // Created on first use.
    let id: string | undefined;
    const requestId = () => (id ??= newId());
    log.debug('request', () => ({ request_id: requestId(), method: request.method, url: request.url }));
    // Some clients tunnel DELETE through POST with this header, so ignoring it would execute the wrong operation.
    // Reads the raw request, because `request.headers` would create a Headers object for each request.
    const override = 'x-http-method-override';
    if (incoming ? incoming.headers[override] !== undefined : request.headers.has(override)) {
      const error = new Problem('request.method_override');
      return problemResponse({ error, requestId: requestId(), request, report });
    }
    const clientAddress = () => (incoming ? addressOf(incoming) : 'unknown');
    return routes.fetch(request, { requestId, clientAddress, ...(outgoing && { outgoing }) });
  };
}
