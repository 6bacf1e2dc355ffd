import { expect, test, vi } from 'vitest';

test('frames come after a focused element was removed while timers are fake, which jsdom notes by a timer', async () => {
  vi.useFakeTimers();
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  field.remove();
  vi.useRealTimers();
  expect(await new Promise(requestAnimationFrame)).toBeGreaterThan(0);
});
