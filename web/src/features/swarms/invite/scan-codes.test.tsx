import { expect, test } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import type { CheckedLine } from './invite-check.ts';
import { ScanCodes } from './scan-codes.tsx';
import type { InviteCodes } from './use-invite-codes.ts';

test('a scanned code without a label is a device of its user, not an ID', async () => {
  await loadTexts('en');
  const code = { to: 'ben', resource_id: '019a7c51-5d0e-7c1c-8a4e-000000000001' };
  const line = { line: 1, code, text: `ben/${code.resource_id}`, role: 'producer', verdict: { kind: 'ready' } };
  const codes = {
    checked: [line as CheckedLine],
    lines: [],
    edit: { setLineRole() {}, append() {} },
  } as unknown as InviteCodes;
  const { container, unmount } = await mountPart(<ScanCodes codes={codes} onClose={() => {}} />);
  const { textContent } = container.querySelector('li')!;
  expect(textContent).toContain('A device of ben');
  expect(textContent).not.toContain(code.resource_id);
  await unmount();
});
