import type { ServiceApp } from './endpoint.ts';

/** OpenAPI 3.1 of all that is registered by `endpoint`; a test holds that no handler is missing from it. */
export function openApiDocument({ app, serverUrl }: { app: ServiceApp; serverUrl: string }): object {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Swarmdeck',
      version: '1',
      description: 'Device resources, their membership in swarms, and invitations to join one.',
    },
    servers: [{ url: serverUrl }],
  });
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-serviceapikey' } },
    },
  };
}
