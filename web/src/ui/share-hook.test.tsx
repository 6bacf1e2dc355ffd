import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shareHook, shareProps } from './share-hook.tsx';

test.each([
  shareHook(function useColour(value: { colour: string }) {
    return value;
  }),
  shareProps<{ colour: string }>('useColour'),
])('without a provider, the error names the hook', (Provider, useColour) => {
  const Colour = () => useColour().colour;
  expect(
    renderToString(
      <Provider colour="green">
        <Colour />
      </Provider>,
    ),
  ).toBe('green');
  expect(() => renderToString(<Colour />)).toThrow('useColour has no provider here');
});

test('every shared hook has a name', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const callers = Object.values(sources).filter((source) => source.includes("/share-hook.tsx';"));
  expect(callers.length).toBeGreaterThan(9);
  expect(
    callers.filter((source) => !/= share(Hook\(function use[A-Z]|Props<\w+>\('use[A-Z])|createShared }/.test(source)),
  ).toEqual([]);
  expect(callers.filter((source) => source.includes('shareHook(('))).toEqual([]);
});
