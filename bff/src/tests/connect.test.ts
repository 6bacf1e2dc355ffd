/** Runs the code that the page of a device shows for its key, exactly as it is printed. */
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { expectReceives, expectSends, languages, startForSnippets, type SnippetServer } from './snippets.fixture.ts';

let server: SnippetServer;
beforeAll(async () => {
  server = await startForSnippets({ replacements: join(import.meta.dirname, 'bin') });
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(languages)('the code in %s sends a message', (language) => expectSends(server, language));

test.each(languages)('the code in %s receives messages', (language) => expectReceives(server, language));
