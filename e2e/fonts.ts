import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
// one package: its condensed family is about as wide as Inter and Noto Sans, its normal family is as wide as Verdana
const fonts = realpathSync(join(import.meta.dirname, 'node_modules/dejavu-fonts-ttf/ttf'));

/** The only sans-serif family that a browser of journeys has. */
export const fontOf = ({ wide = false } = {}) => (wide ? 'DejaVu Sans' : 'DejaVu Sans Condensed');

/**
 * The environment of a browser that has these fonts and no others, whatever is installed: layouts come out the same on
 * every machine. `wide` makes its sans-serif font about a tenth wider.
 */
export function fontEnvironment({ wide = false } = {}): Record<string, string> {
  const file = join(root, `.cache/fonts-${wide ? 'wide' : 'normal'}.conf`);
  const sans = fontOf({ wide });
  const prefer = (family: string, font: string) =>
    `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  const names = [sans, 'DejaVu Sans Mono'].map((name) => name.replaceAll(' ', ''));
  const accept = names.flatMap((name) => [`${name}.ttf`, `${name}-*.ttf`]);
  mkdirSync(join(root, '.cache'), { recursive: true });
  // Unless it is the headless shell, a browser takes the name of `system-ui` from the settings of a desktop. With one
  // sans-serif family, which is also the last choice for each name, any name leads to it.
  const written = `${file}.${process.pid}`;
  writeFileSync(
    written,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${fonts}</dir>
<cachedir>${join(root, '.cache/fontconfig')}</cachedir>
<selectfont>
<rejectfont><glob>${fonts}/*</glob></rejectfont>
${accept.map((name) => `<acceptfont><glob>${fonts}/${name}</glob></acceptfont>`).join('\n')}
</selectfont>
${prefer('monospace', 'DejaVu Sans Mono')}
<match target="pattern"><edit name="family" mode="append_last"><string>${sans}</string></edit></match>
<match target="pattern"><edit name="hintstyle" mode="append"><const>hintslight</const></edit></match>
</fontconfig>
`,
  );
  // at once: the browser of another worker may read it now, and would take other fonts from half of it
  renameSync(written, file);
  return { ...(process.env as Record<string, string>), FONTCONFIG_FILE: file };
}
