import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Text rules for which the linter has no rule: patterns that may occur only in some files. `example` is a line that
 * violates the rule in the file `at`.
 */
interface WordRule {
  why: string;
  pattern: RegExp;
  files: string[];
  home?: RegExp;
  example: { at: string; line: string };
}

const tests = /\.(test|fixture|cases)\.tsx?$/;

export const wordRules: WordRule[] = [
  {
    why: 'only *.store.ts, *-sql.ts, store/ and feed/ contain SQL',
    pattern: /\b(SELECT\s.+\sFROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/i,
    files: ['bff/src/**/*.ts'],
    home: /(\.store|-sql)\.ts$|\/store\/|\/feed\/|\.(test|fixture|cases)\.ts$/,
    example: { at: 'bff/src/read-models/devices/devices.routes.ts', line: 'db.get(`select name from resources`)' },
  },
  {
    why: 'only key-guard.ts reads the key header',
    pattern: /x-serviceapikey/i,
    files: ['bff/src/**/*.ts'],
    home: /endpoint\/key-guard\.ts$|openapi|docs-page|\.(test|fixture|cases)\.ts$/,
    example: { at: 'bff/src/core/resources/resources.routes.ts', line: "c.req.header('x-serviceapikey')" },
  },
  {
    why: 'the current time is passed as `now` by main.ts',
    pattern: /new Date\(\)|Date\.now\(\)/,
    files: ['bff/src/**/*.ts'],
    // commands and metrics of the process have no other time, and a migration runs before there is one
    home: /\.(test|fixture|cases|process)\.ts$|\/(main|cli|open-operator|process-metrics|migrations)\.ts$/,
    example: { at: 'bff/src/core/resources/resources.store.ts', line: 'const at = new Date()' },
  },
  {
    why: 'a loop that begins again when its write fails is bounded: `for (const retry = countRetries(); ; retry())`',
    pattern: /\bfor \(;;\)|\bwhile \(true\)/,
    files: ['bff/src/core/{resources,swarms,members,invitations,keys}/**/*.ts', 'bff/src/capabilities/**/*.ts'],
    // these end with what they read
    home: /\/(swarm-texts|record-values|messages|api-keys)\.store\.ts$|\/(import-devices|csv-parser)\.ts$|\.test\.ts$/,
    example: { at: 'bff/src/core/swarms/swarms.use-cases.ts', line: 'for (;;) {' },
  },
  {
    why: 'a test waits as long as all do (.tools/vitest.setup.ts): a shorter limit fails on a busy machine',
    pattern: /\btimeout: (\d{1,4}|[12]?\d_\d{3})\b|\bwaitFor\(.*, [12]?\d_\d{3}\)/,
    files: ['bff/src/**/*.{test,fixture}.ts', 'web/src/**/*.{test,fixture}.{ts,tsx}'],
    example: {
      at: 'bff/src/capabilities/mail/mail.test.ts',
      line: 'await expect.poll(mail.counts, { timeout: 4000 }).toEqual(1);',
    },
  },
  {
    why: 'tests of components and hooks wait with waitFor of ui/wait-for.fixture.ts: React renders before each attempt',
    pattern: /\bvi\.waitFor\(|\bact\(.*\bexpect\.poll\(/,
    files: ['web/src/{app,bulk,features,routes,shared,ui}/**/{*.{test,fixture}.tsx,use-*.test.ts}'],
    example: {
      at: 'web/src/features/keys/keys.test.tsx',
      line: 'await act(() => vi.waitFor(() => expect(said()).toBe(1)));',
    },
  },
  {
    why: 'query keys are defined in data/cache/query-keys.ts and account-keys.ts',
    pattern: /\bqueryKey\s*:\s*\[/,
    files: ['web/src/**/*.{ts,tsx}'],
    home: /\.test\.tsx?$/,
    example: { at: 'web/src/features/devices/device-list.tsx', line: "useQuery({ queryKey: ['devices'] })" },
  },
  {
    why: 'attributes are written one by one, not spread from a fresh object',
    pattern: /\{\s*\.\.\.\{/,
    files: ['web/src/**/*.tsx'],
    example: { at: 'web/src/ui/buttons/button.tsx', line: '<Button {...{ label, icon }} />' },
  },
  {
    why: 'a signature of several lines names the type of its parameter',
    pattern: /^\s*\}: (.* & )?\{$/,
    files: ['web/src/**/*.{ts,tsx}'],
    example: { at: 'web/src/ui/buttons/button.tsx', line: '}: {' },
  },
  {
    why: 'text of users is rendered as text, never as HTML',
    pattern: /\b(inner|outer)HTML\b|insertAdjacentHTML|bind(Popup|Tooltip)\(/,
    files: ['web/src/**/*.{ts,tsx}', 'web/public/**/*.js'],
    home: tests,
    example: { at: 'web/src/features/map/label.ts', line: 'marker.bindPopup(name)' },
  },
  {
    why: 'only logical properties, because the app supports right-to-left',
    pattern:
      /(^|[\s;{])(left|right)\s*:|(margin|padding|border|inset)-(left|right)\b|border-(top|bottom)-(left|right)-radius|(text-align|float|clear)\s*:\s*(left|right)\b/,
    files: ['web/src/**/*.css', 'web/public/**/*.css'],
    // Leaflet moves its panes from the left, in every language
    home: /leaflet\.css$/,
    example: { at: 'web/src/ui/buttons/button.css', line: '  margin-left: var(--s2);' },
  },
  {
    why: 'only logical properties, also in styles that code sets',
    pattern: /\b(margin|padding|border)(Left|Right)\b/,
    files: ['web/src/**/*.tsx'],
    example: { at: 'web/src/ui/buttons/button.tsx', line: 'style={{ marginLeft: 4 }}' },
  },
  {
    why: 'no rule is disabled for a line',
    pattern: /(oxlint|eslint)-disable/,
    files: ['{bff,web}/src/**/*.{ts,tsx}', 'e2e/**/*.ts', '.tools/*.{ts,mjs}'],
    home: /node_modules|words/,
    example: { at: 'web/src/ui/list.tsx', line: '// eslint-disable-next-line' },
  },
  {
    why: 'an assertion on the page waits: expect.poll, or an assertion of a locator',
    pattern: /expect\(await\b/,
    files: ['e2e/specs/**/*.ts'],
    example: { at: 'e2e/specs/map.spec.ts', line: 'expect(await home.scrolled()).toBe(0);' },
  },
  {
    why: 'journeys wait for what a user sees or for LayoutPart.ready(), not for time or silence',
    pattern: /networkidle|waitForTimeout|\b(resolve|done), \d/,
    files: ['e2e/{specs,pages}/**/*.ts'],
    example: { at: 'e2e/specs/map.spec.ts', line: "await page.waitForLoadState('networkidle');" },
  },
  {
    why: 'journeys do not sleep',
    pattern: /timers\/promises/,
    files: ['e2e/{specs,pages}/**/*.ts'],
    // its device moves ten times a second
    home: /\/conflict\.spec\.ts$/,
    example: { at: 'e2e/specs/map.spec.ts', line: "import { setTimeout as wait } from 'node:timers/promises';" },
  },
  {
    why: 'no amount of data is a timer: holdActionsAt and page.route hold what would be too fast',
    pattern: /(\blength: |\bmanyRows\(|\b(count|total) = )([3-9]\d{3}|\d{5,}|\d+_\d{3})\b/,
    files: ['e2e/{specs,pages}/**/*.ts'],
    example: { at: 'e2e/specs/import.spec.ts', line: 'await file.chooseText(manyRows(30_000));' },
  },
  {
    why: 'whether an element is visible is not read once: isFirstShown waits for one of two',
    pattern: /\.is(Visible|Hidden|Enabled|Disabled|Checked)\(/,
    files: ['e2e/{specs,pages}/**/*.ts'],
    home: /\/is-first-shown\.ts$/,
    example: { at: 'e2e/pages/home.page.ts', line: 'if (await this.retry.isVisible()) await this.retry.click();' },
  },
  {
    why: 'what a module remembers for the life of a page is forgotten with onNewPage (data/new-page.ts)',
    pattern: /^(export )?(let |const \w+ = new (Map|Set)(<.*>)?\(\))/,
    files: ['web/src/**/*.{ts,tsx}'],
    // these register it, or remember code, texts and files of the app only
    home: /\/((back-closes|client|confirmation|draw-in-turn|create-shown-once|measured-height|row-height|tab-storage|toast-space|use-own-location|use-sort-point|use-page-change|connection-status|map-moves|network-page|server-clock|session-tabs|stored-data|outbox|outbox-database|unsaved-input)\.ts|(lazy|truncate-middle|unreachable-notice)\.tsx|(chart-options|shorten-text|leave-guards|text|places|names\.place|world\.load|streets\.worker|lazy-changes|new-page|journeys)\.ts)$|\.(test|fixture)\.tsx?$/,
    example: { at: 'web/src/features/map/last-view.ts', line: 'let lastView: MapView | undefined;' },
  },
  {
    why: 'locators are in e2e/pages',
    pattern: /\.(getBy\w+|locator)\(/,
    files: ['e2e/specs/**/*.ts'],
    example: { at: 'e2e/specs/sign-in.spec.ts', line: "await page.getByRole('button').click()" },
  },
];

/** The lines below `root` that violate a rule, as `file:line why`. */
export function misplacedWords({ root, rules = wordRules }: { root: string; rules?: WordRule[] }): string[] {
  return rules.flatMap((rule) =>
    globSync(rule.files, { cwd: root, exclude: (name) => name === 'node_modules' })
      .filter((file) => !rule.home?.test(file))
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            rule.pattern.test(line) ? [`${file}:${index + 1} ${rule.why}: ${line.trim()}`] : [],
          ),
      ),
  );
}
