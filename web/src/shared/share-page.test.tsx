import { act, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test } from 'vitest';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { sharePage, shareProps } from './share-page.tsx';

const [PageState, usePage] = sharePage(function usePageState({ colour }: { colour: string }) {
  const [count, setCount] = useState(0);
  return { look: { colour, size: { width: 1 } }, counter: { count, setCount } };
});

test('a part renders only when its slice changes', async () => {
  const rendered: string[] = [];
  let setCount: (count: number) => void = () => {};
  function Look() {
    rendered.push(usePage('look').colour);
    return null;
  }
  function Counter() {
    const counter = usePage('counter');
    ({ setCount } = counter);
    rendered.push(String(counter.count));
    return null;
  }
  const parts = (
    <>
      <Look />
      <Counter />
    </>
  );
  const page = await mountPart(<PageState colour="green">{parts}</PageState>);
  onTestFinished(() => page.unmount());
  expect(rendered.splice(0)).toEqual(['green', '0']);
  await act(async () => setCount(1));
  expect(rendered.splice(0)).toEqual(['1']);
  await page.show(<PageState colour="red">{parts}</PageState>);
  expect(rendered.splice(0)).toEqual(['red']);
});

test('without a provider, the error names the slice', () => {
  const [, useColour] = shareProps<{ colour: string }>('useColour');
  const Look = () => usePage('look').colour;
  const Colour = () => useColour().colour;
  expect(() => renderToString(<Look />)).toThrow('usePageState.look has no provider here');
  expect(() => renderToString(<Colour />)).toThrow('useColour has no provider here');
});

test('all that is shared has a name', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const callers = Object.values(sources).filter((source) => source.includes("/share-page.tsx';"));
  expect(callers.length).toBeGreaterThan(9);
  const isNamed = /= share(Page\(function use[A-Z]|Props<[^']+>\('use[A-Z])/;
  expect(callers.filter((source) => !isNamed.test(source))).toEqual([]);
});
