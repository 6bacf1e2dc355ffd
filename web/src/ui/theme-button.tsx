import { Button } from './button.tsx';
import type { ButtonLook } from './button.tsx';
import { theme, themes, useTheme } from './theme.ts';
import type { Theme } from './theme.ts';

const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;

/** Switches to the next theme and shows the current one. */
export function ThemeButton({
  label,
  names,
  look = 'plain',
}: { label: string; names: Record<Theme, string> } & Pick<ButtonLook, 'look'>) {
  const current = useTheme();
  const next = themes[(themes.indexOf(current) + 1) % themes.length] ?? 'system';
  return (
    <Button look={look} icon={icons[current]} onClick={() => theme.set(next)}>
      {label}
      <span className="theme-name">{names[current]}</span>
    </Button>
  );
}
