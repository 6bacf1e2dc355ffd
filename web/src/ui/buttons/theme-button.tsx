import { Button, type ButtonLook } from './button.tsx';
import { createPreference, usePreference } from '../browser/preference.ts';

const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;

interface ThemeButtonProps extends Pick<ButtonLook, 'look'> {
  label: string;
  names: Record<Theme, string>;
}

/** Switches to the next theme and shows the current one. */
export function ThemeButton({ label, names, look = 'plain' }: ThemeButtonProps) {
  const current = usePreference(theme);
  const next = themes[(themes.indexOf(current) + 1) % themes.length] ?? 'system';
  return (
    <Button look={look} icon={icons[current]} onClick={() => theme.set(next)}>
      {label}
      <span className="quiet to-end theme-name">{names[current]}</span>
    </Button>
  );
}

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The key and the meaning are those of public/boot.js, which has set the first theme before the first paint. */
export const theme = createPreference({ key: 'theme', values: themes });

/** Applies the chosen theme, or the system's, and follows changes. Returns a function that stops it. */
export function followTheme(): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const dark = theme.get() === 'dark' || (theme.get() === 'system' && media.matches);
    document.documentElement.classList.toggle('dark', dark);
  };
  const stop = theme.subscribe(apply);
  media.addEventListener('change', apply);
  apply();
  return () => {
    stop();
    media.removeEventListener('change', apply);
  };
}
