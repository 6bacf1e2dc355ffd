import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { docsPage } from './docs-page.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

interface Document {
  info: { description: string };
  paths: Record<string, Record<string, { parameters?: { name: string; description?: string }[] }>>;
  components: { schemas: Record<string, { properties?: object }> };
}

let server: TestServer;
let page: string;
let document: Document;
beforeAll(async () => {
  server = await createTestServer();
  page = await (await server.fetch('/docs')).text();
  document = (await (await server.fetch('/service/openapi.json')).json()) as Document;
});
afterAll(() => server[Symbol.asyncDispose]());

/** As a reader sees it. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');

test('shows every operation, its parameters, and every field of every schema', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      expect(page).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
      for (const { name, description = '' } of parameters) {
        expect(page).toContain(`<code>${name}</code>`);
        expect(textOf(page)).toContain(description.replaceAll('`', ''));
      }
    }
  }
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
    const [, fields = ''] = page.split(`<details id="${name}">`);
    for (const field of Object.keys(properties))
      expect(fields.split('</details>')[0]).toContain(`<code>${field}</code>`);
  }
});

test.each([
  ['GET /resources/{resource_id}', 'all, read'],
  ['PUT /resources/{resource_id}', 'all, position'],
  ['POST /resources', 'all'],
])('%s shows the scopes of its keys: %s', (operation, scopes) => {
  const [, section = ''] = page.split(`<summary><code>${operation}</code>`);
  const [, shown = ''] = /<p>Scopes: (.*?)<\/p>/.exec(section) ?? [];
  expect(textOf(shown)).toBe(scopes);
});

test('shows the general notes with their formatting', () => {
  for (const paragraph of document.info.description.split('\n\n')) {
    expect(textOf(page)).toContain(paragraph.replaceAll(/\*\*|`/g, ''));
  }
  expect(textOf(page)).not.toMatch(/\*\*|`/);
  expect(page).toContain('<strong>Errors</strong>');
});

test('tells operators how to add streets, where the map links to', () => {
  const [, section = ''] = page.split('<p id="streets">');
  expect(textOf(section.split('</p>')[0]!)).toContain('set MAP_FILE to a PMTiles archive');
});

test('has no inline script or style, which the content security policy would block', () => {
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|https?:\/\/(?!localhost)/);
});

test('the document allows only GET and HEAD', async () => {
  const answer = await server.fetch('/service/openapi.json', { method: 'POST' });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
  expect((await server.fetch('/service/openapi.json', { method: 'HEAD' })).status).toBe(200);
});

test('is rendered once', async () => {
  /** In µs of CPU time. */
  const timeOf = async (act: () => unknown) => {
    const before = process.threadCpuUsage();
    for (let time = 0; time < 200; time++) await act();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  const rendering = await timeOf(() => docsPage(document));
  expect(await timeOf(() => server.fetch('/docs'))).toBeLessThan(rendering);
});

test('is rendered once, as bytes', async () => {
  const from = vi.spyOn(Buffer, 'from');
  const again = await server.fetch('/docs');
  expect(again.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await again.text()).toBe(page);
  expect(from).not.toHaveBeenCalled();
});
