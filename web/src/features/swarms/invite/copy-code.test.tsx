import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { codeLabelPreference } from '../../../shared/code-label.tsx';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { CopyCode } from './copy-code.tsx';

beforeAll(() => loadTexts('en'));
afterEach(() => codeLabelPreference.set('none'));

test.each([
  ['none', null],
  ['name', 'Buoy 7'],
] as const)('a copied code says of the device what the user has chosen for codes: %s', async (kind, label) => {
  codeLabelPreference.set(kind);
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  const { press, unmount } = await mountPart(<CopyCode user_id="ann" device={{ id: 'b', name: 'Buoy 7' }} />);
  await press(t.invite_code.copy);
  expect(new URL(writeText.mock.calls[0]![0]).searchParams.get('label')).toBe(label);
  await unmount();
});
