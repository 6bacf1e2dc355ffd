import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { loadTexts, problemSentence } from '../../../text/text.ts';
import { NowProvider } from '../../../ui/time.tsx';
import { RefusedNotes } from './refused-notes.tsx';

afterEach(() => loadTexts('en'));

const shown = (code: string) => {
  const refused = { code, detail: 'In English.', times: 2, last_at: '2026-11-29T01:00:00Z' };
  return renderToStaticMarkup(
    <NowProvider>
      <RefusedNotes refusals={{ refused }} id="i1" swarms={[]} />
    </NowProvider>,
  );
};

test('in German, a refusal has a reason, or the text of its error, and only an unknown one that of the server', async () => {
  await loadTexts('de');
  expect(shown('rate.exceeded')).not.toContain('In English.');
  expect(shown('storage.full')).toContain(problemSentence({ code: 'storage.full' }));
  expect(shown('storage.full')).not.toContain('In English.');
  expect(shown('other.code')).toContain('<bdi lang="en">In English.</bdi>');
});
