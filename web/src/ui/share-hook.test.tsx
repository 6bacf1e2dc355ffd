import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shareHook } from './share-hook.tsx';

test('without a provider, the error names the hook', () => {
  const [Provider, useColour] = shareHook(function useColourState(value: { colour: string }) {
    return value;
  });
  const Colour = () => useColour().colour;
  expect(
    renderToString(
      <Provider colour="green">
        <Colour />
      </Provider>,
    ),
  ).toBe('green');
  expect(() => renderToString(<Colour />)).toThrow('useColourState has no provider here');
});

test('every shared hook has a name', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const callers = Object.values(sources).filter((source) => source.includes("/share-hook.tsx';"));
  expect(callers.length).toBeGreaterThan(9);
  expect(callers.filter((source) => !/= shareHook\(function use[A-Z]/.test(source))).toEqual([]);
  expect(callers.filter((source) => source.includes('shareHook(('))).toEqual([]);
});
