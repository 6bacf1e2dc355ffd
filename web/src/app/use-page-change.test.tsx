import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePageChange } from './use-page-change.ts';

let pageTop = 0;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('scrollTo', (_left: number, top: number) => (pageTop = top));
  vi.stubGlobal('CSS', { escape: (name: string) => name });
});
afterEach(() => vi.unstubAllGlobals());

function Page({ pathname }: { pathname: string }) {
  const { main } = usePageChange({ pathname });
  return (
    <main ref={main} tabIndex={-1}>
      <div key={pathname} className="rows">
        <a href="/swarms/s1">s1</a>
      </div>
    </main>
  );
}

test('Back restores the scroll position of a page and of the list in it, a link starts at the top', async () => {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const go = (pathname: string, back = false) =>
    act(async () => {
      history.replaceState(null, '', pathname);
      if (back) dispatchEvent(new Event('popstate'));
      root.render(<Page pathname={pathname} />);
    });
  const rows = () => container.querySelector('.rows')!;
  const scrollRows = (top: number) => {
    rows().scrollTop = top;
    rows().dispatchEvent(new Event('scroll'));
  };
  await go('/swarms');
  vi.stubGlobal('scrollY', 300);
  document.dispatchEvent(new Event('scroll'));
  scrollRows(1200);

  await go('/swarms/s1');
  expect([pageTop, rows().scrollTop]).toEqual([0, 0]);
  expect(document.activeElement?.tagName).toBe('MAIN');
  await go('/swarms', true);
  expect([pageTop, rows().scrollTop]).toEqual([300, 1200]);
  expect(document.activeElement?.textContent, 'the link that was followed').toBe('s1');

  // Back within a page says nothing about the link after it
  await go('/swarms', true);
  await go('/swarms/s1');
  await go('/swarms');
  expect([pageTop, rows().scrollTop]).toEqual([0, 0]);
  await act(async () => root.unmount());
});
