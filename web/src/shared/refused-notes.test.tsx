import type { MachineType, Refusals } from '@swarmdeck/bff/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { loadTexts, problemSentence, t } from '../text/text.ts';
import { NowProvider } from '../ui/texts/time.tsx';
import { RefusedNotes } from './refused-notes.tsx';

afterEach(() => loadTexts('en'));

const render = (refusals: Refusals, machine_type: MachineType = 'pc') =>
  renderToStaticMarkup(
    <NowProvider>
      <RefusedNotes refusals={refusals} device={{ id: 'i1', machine_type }} swarms={[]} />
    </NowProvider>,
  );
const shown = (code: string) =>
  render({ refused: { code, detail: 'In English.', times: 2, last_at: '2026-11-29T01:00:00Z' } });

test('in German, a refusal has a reason, or the text of its error, and only an unknown one that of the server', async () => {
  await loadTexts('de');
  expect(shown('rate.exceeded')).not.toContain('In English.');
  expect(shown('storage.full')).toContain(problemSentence({ code: 'storage.full' }));
  expect(shown('storage.full')).not.toContain('In English.');
  expect(shown('other.code')).toContain('<bdi lang="en">In English.</bdi>');
});

test.each(['en', 'de'])(
  'in %s, wrong keys lead to what gives the device another one, a phone too',
  async (language) => {
    await loadTexts(language);
    for (const [times, ago] of [
      [1, 0],
      [3, 14],
    ] as const) {
      const last_at = new Date(Date.now() - ago * 60_000).toISOString();
      const wrongKeys = { wrong_keys: { times, last_at } };
      const text = (of: MachineType) => render(wrongKeys, of).replace(/<[^>]+>/g, '');
      expect(text('pc')).toContain(t.connect.action);
      expect(text('pc')).not.toContain('..');
      expect(text('smartphone')).toContain(t.connect.phone.action);
    }
  },
);
