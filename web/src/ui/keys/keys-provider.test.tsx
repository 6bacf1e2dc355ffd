import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { Keys } from './keys.ts';
import { KeysProvider, useCommands, useKeyboard } from './keys-provider.tsx';

afterEach(() => vi.unstubAllGlobals());

test('commands that change keep their place, and those that are offered again come first', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const runs: string[] = [];
  let keys: Keys | undefined;
  function Page({ turn, isOffered = true }: { turn: number; isOffered?: boolean }) {
    keys = useKeyboard();
    useCommands('undo', isOffered ? { undo_last: () => void runs.push(`undo ${turn}`) } : null);
    // The same runs in each render.
    useCommands('selected_member', unchanged);
    return null;
  }
  const unchanged = { open: () => undefined };
  const root = createRoot(document.createElement('div'));
  const render = (turn: number, isOffered?: boolean) =>
    act(async () =>
      root.render(
        <KeysProvider>
          <Page turn={turn} {...(isOffered !== undefined && { isOffered })} />
        </KeysProvider>,
      ),
    );
  const scopes = () => keys?.layers().map(({ scope }) => scope);
  await render(1);
  expect(scopes()).toEqual(['selected_member', 'undo']);
  const before = keys?.layers();
  await render(2);
  expect(keys?.layers()).toBe(before);
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true }));
  const listed = keys?.layers()[1]?.commands[0];
  listed?.run(new KeyboardEvent('keydown'));
  expect(runs).toEqual(['undo 2', 'undo 2']);
  await render(3, false);
  listed?.run(new KeyboardEvent('keydown'));
  expect(runs).toHaveLength(2);
  expect(scopes()).toEqual(['selected_member']);
  await render(4);
  expect(scopes()).toEqual(['undo', 'selected_member']);
  await act(async () => root.unmount());
  expect(scopes()).toEqual([]);
});
