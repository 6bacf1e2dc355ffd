import { until, type WebDriver } from './webdriver.ts';

const keyCodes: Record<string, string> = { Enter: '\uE007', Control: '\uE009', Escape: '\uE00C' };

export type BrowserPage = ReturnType<typeof createPage>;

/** What a user sees and does in a browser that is driven by WebDriver. Every action waits for what it needs. */
export function createPage(driver: WebDriver) {
  /** Runs a function in the page. It cannot use anything from outside itself. */
  const run = <Args extends unknown[], Result>(code: (...args: Args) => Result, ...args: Args) =>
    driver.send('WebDriver:ExecuteScript', {
      script: `return (${String(code)}).apply(null, arguments)`,
      args,
    }) as Promise<Result>;

  const find = async (selector: string, text: string) => {
    const what = `${selector} “${text}”, where a pointer reaches it`;
    const place = await until(what, () => run(placeOf, selector, text), 20_000);
    return place;
  };

  const act = (...actions: object[]) => driver.send('WebDriver:PerformActions', { actions });

  return {
    run,
    /** Opens a URL. */
    goto: (url: string) => driver.send('WebDriver:Navigate', { url }),
    /** Waits until an element with that text or label can be seen, and nothing covers its middle. */
    see: find,
    /** Waits until no such element can be seen. */
    async miss(selector: string, text: string) {
      await until(`no ${selector} “${text}”`, async () => !(await run(placeOf, selector, text)), 20_000);
    },
    async click(selector: string, text: string) {
      const { x, y } = await find(selector, text);
      const pointer = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: pointer });
    },
    async type(text: string) {
      const keys = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      await act({ type: 'key', id: 'keyboard', actions: keys });
    },
    /** Presses keys together: `press('Control', 'k')`. */
    async press(...keys: string[]) {
      const values = keys.map((key) => keyCodes[key] ?? key);
      const down = values.map((value) => ({ type: 'keyDown', value }));
      const up = values.toReversed().map((value) => ({ type: 'keyUp', value }));
      await act({ type: 'key', id: 'keyboard', actions: [...down, ...up] });
    },
    screenshot: async () => Buffer.from(String(await driver.send('WebDriver:TakeScreenshot')), 'base64'),
  };
}

/** Runs in the page: the middle of the first element with that text or label that a pointer can reach. */
function placeOf(selector: string, text: string): { x: number; y: number } | null {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const words = [element.getAttribute('aria-label'), label?.textContent ?? element.textContent, element.title].join(
      ' ',
    );
    if (!words.includes(text)) continue;
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const reached = document.elementFromPoint(x, y);
    if (width > 0 && height > 0 && (element.contains(reached) || label?.contains(reached))) return { x, y };
  }
  return null;
}
