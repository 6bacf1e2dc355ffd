/**
 * `/docs`: the OpenAPI document as an HTML page, rendered on the server without scripts, which the content security
 * policy would block.
 */
import { html } from 'hono/html';

interface Schema {
  type?: string | string[];
  $ref?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  /** The scopes of the keys that may do it. */
  'x-scopes': string[];
  responses: Record<string, Answer | { $ref: string }>;
}
interface Answer {
  description: string;
  headers?: Record<string, { description?: string }>;
  content?: Record<string, { schema: Schema }>;
}
interface Document {
  info: { title: string; description?: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
}

/** `isForPages`: whether pages of some other origins may use the service. */
export function docsPage(openApi: object, { isForPages = false } = {}) {
  const document = openApi as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title} API</title>
        <link rel="stylesheet" href="/docs.css" />
      </head>
      <body>
        <main>
          <h1>${document.info.title} API</h1>
          ${(document.info.description ?? '').split('\n\n').map((paragraph) => html`<p>${marked(paragraph)}</p>`)}
          <p>
            Paths are relative to <code>${document.servers[0]?.url ?? ''}</code>. Every request needs a key in the
            header <code>x-serviceapikey</code>. Create keys on the <a href="/account">Account</a> page. This page is
            also available as <a href="/service/openapi.json">OpenAPI 3.1</a>.
          </p>
          <p id="pages">
            <strong>Pages of other sites</strong>
            ${
              isForPages
                ? html`can use this API in a browser if the operator has named their origins
                  (<code>CORS_ORIGINS</code>), except OwnTracks. They need a key: cookies are not used.`
                : html`cannot use this API in a browser: the operator has named no origins (<code>CORS_ORIGINS</code>).
                  Other programs can.`
            }
          </p>
          <p id="streets">
            <strong>For operators: streets on the map.</strong> The built-in map has coasts, borders and cities. To add
            streets, set <code>MAP_FILE</code> to a PMTiles archive of your area, or <code>TILE_URL</code> to a tile
            server. The file <code>deploy/README.md</code> of this server says how.
          </p>
          <h2>Operations</h2>
          ${operations.map((operation) => operationBlock(operation, document.components.responses))}
          <h2>Schemas</h2>
          ${Object.entries(document.components.schemas).map(
            ([name, schema]) =>
              html`<details id="${name}">
                <summary>${name}</summary>
                ${fields(schema)}
              </details>`,
          )}
        </main>
      </body>
    </html>`;
}

function operationBlock(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  shared: Document['components']['responses'],
) {
  const body = operation.requestBody?.content['application/json']?.schema;
  return html`<details>
    <summary><code>${method} ${path}</code> ${operation.summary ?? ''}</summary>
    ${operation.description ? html`<p>${marked(operation.description)}</p>` : ''}
    <p>Scopes: ${operation['x-scopes'].map((scope, index) => html`${index ? ', ' : ''}<code>${scope}</code>`)}</p>
    ${
      operation.parameters?.length
        ? html`<h3>Parameters</h3>
            <ul>
              ${operation.parameters.map((parameter) => html`<li><code>${parameter.name}</code> in ${parameter.in}${parameter.required ? ', required' : ''}${defaultOf(parameter.schema)}${parameter.description ? html`: ${marked(parameter.description)}` : ''}</li>`)}
            </ul>`
        : ''
    }
    ${
      body
        ? html`<h3>Body</h3>
            <p>${shape(body)}</p>`
        : ''
    }
    <h3>Responses</h3>
    <ul>
      ${Object.entries(operation.responses).map(([status, response]) => {
        const answer = '$ref' in response ? shared[nameIn(response.$ref)]! : response;
        const schemas = Object.entries(answer.content ?? {});
        return html`<li>
          <code>${status}</code>
          ${marked(answer.description)}${headersOf(answer)}${schemas.map(([type, { schema }]) => html`: <code>${type}</code>, ${shape(schema)}`)}
        </li>`;
      })}
    </ul>
  </details>`;
}

const nameIn = (reference: string) => reference.split('/').at(-1) ?? '';
const defaultOf = ({ default: value }: Schema) => (value === undefined ? '' : html`, default <code>${value}</code>`);

function headersOf({ headers = {} }: Answer) {
  const names = Object.keys(headers);
  return names.length === 0
    ? ''
    : html`, with ${names.map((name, index) => html`${index ? ', ' : ''}<code>${name}</code>`)}`;
}

/** Renders the subset of Markdown that the descriptions use. */
function marked(text: string) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : part;
  });
}

function fields(schema: Schema): unknown {
  if (schema.oneOf) return html`<p>${shape(schema)}</p>`;
  return html`${schema.description ? html`<p>${marked(schema.description)}</p>` : ''}
    <ul>
      ${Object.entries(schema.properties ?? {}).map(
        ([name, field]) =>
          html`<li>
            <code>${name}</code>:
            ${shape(field)}${schema.required?.includes(name) ? ', required' : ''}${field.description ? html`. ${marked(field.description)}` : ''}
          </li>`,
      )}
    </ul>`;
}

function shape(schema: Schema): unknown {
  if (schema.$ref) {
    const name = nameIn(schema.$ref);
    return html`<a href="#${name}">${name}</a>`;
  }
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return choice.map((option, index) => html`${index ? ' or ' : ''}${shape(option)}`);
  if (schema.enum) return html`one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return html`list of ${shape(schema.items)}`;
  const names = Object.keys(schema.properties ?? {});
  if (names.length > 0)
    return html`object with ${names.map((name, index) => html`${index ? ', ' : ''}<code>${name}</code>`)}`;
  const type = [schema.type ?? 'object'].flat().join(' or ');
  const range = schema.minimum === undefined ? '' : ` from ${schema.minimum} to ${schema.maximum}`;
  return `${type}${range}${schema.maxLength ? `, at most ${schema.maxLength} characters` : ''}`;
}

export const docsStyle = `
:root { color-scheme: light dark; --bg: #f4f7f7; --panel: #fff; --fg: #12201f; --muted: #516366; --line: #dfe6e6; --accent: #0f766e; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #0e1416; --panel: #161d1f; --fg: #e6eded; --muted: #9db0b2; --line: #283336; --accent: #2dd4bf; }
}
body { margin: 0; background: var(--bg); color: var(--fg); font: 14px/20px system-ui, sans-serif; }
main { max-inline-size: 52rem; overflow-wrap: break-word; margin-inline: auto; padding: 24px 16px 48px; }
h1 { font-size: 26px; line-height: 34px; } h2 { margin-block-start: 32px; font-size: 20px; } h3 { font-size: 14px; margin-block: 12px 4px; }
a { color: var(--accent); } code { font: 12px/20px ui-monospace, monospace; overflow-wrap: anywhere; }
details { margin-block: 8px; padding: 12px 16px; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; }
summary { cursor: pointer; font-weight: 600; padding-block: 2px; } summary code { font-weight: 600; margin-inline-end: 8px; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
ul { margin: 0; padding-inline-start: 20px; }
`;
