import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
// one package: its condensed family is about as wide as Inter and Noto Sans, its normal family is as wide as Verdana
const fonts = realpathSync(join(import.meta.dirname, 'node_modules/dejavu-fonts-ttf/ttf'));

/**
 * The environment of a browser that has these fonts and no others, whatever is installed: layouts come out the same on
 * every machine. `wide` makes its sans-serif font about a tenth wider.
 */
export function fontEnvironment({ wide = false } = {}): Record<string, string> {
  const file = join(root, `.cache/fonts-${wide ? 'wide' : 'normal'}.conf`);
  const prefer = (family: string, font: string) =>
    `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  const sans = wide ? 'DejaVu Sans' : 'DejaVu Sans Condensed';
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${fonts}</dir>
<cachedir>${join(root, '.cache/fontconfig')}</cachedir>
${['sans-serif', 'sans', 'system-ui', 'Arial', 'Helvetica'].map((family) => prefer(family, sans)).join('\n')}
${prefer('monospace', 'DejaVu Sans Mono')}
${prefer('serif', 'DejaVu Serif')}
<match target="pattern"><edit name="hintstyle" mode="append"><const>hintslight</const></edit></match>
</fontconfig>
`,
  );
  return { ...(process.env as Record<string, string>), FONTCONFIG_FILE: file };
}
