import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { language, languageName } from '../../text/language.ts';
import { outbox } from '../../data/outbox/outbox.ts';
import { chooseLanguage } from '../../features/account/language-preference.ts';
import { languages, t } from '../../text/text.ts';
import { useSignOut } from '../../shared/account/sign-out.ts';
import { demoQuery, useChangeDemo } from '../../features/start/demo.api.ts';
import { readCodes } from '../../features/swarms/invite/invite-codes.ts';
import type { IconName } from '../../ui/symbols/icon.tsx';
import { useCommandLayers } from '../../ui/keys/keys-provider.tsx';
import { theme } from '../../ui/buttons/theme-button.tsx';
import { useToasts } from '../../ui/toasts/toast.tsx';
import { destinations } from '../destinations.ts';
import type { ListedCommand } from './commands.ts';
import { isAppWide, listedCommand } from './use-page-commands.ts';

/** The commands that work on every page: those of the table, and those of the palette only. `word` is the typed text. */
export function useAppCommands({ word, touch }: { word: string; touch: boolean }): ListedCommand[] {
  return [
    ...useCommandsOfTable({ touch }),
    ...usePageLinks(),
    ...preferenceCommands(),
    ...useDemoCommand(),
    useSignOutCommand(),
    ...useCommandsWithTyped(word),
  ];
}

/** The pages that commands of the table open, which a new tab may open too. */
const pages: Readonly<Partial<Record<string, string>>> = {
  ...Object.fromEntries(destinations.map(({ command, to }) => [command, to])),
  invite: '/invite',
  import_devices: '/import',
  wall: '/map',
};

/** The commands of the table, by parts in the order in which they were offered. */
function useCommandsOfTable({ touch }: { touch: boolean }): ListedCommand[] {
  const { also, help_touch } = t.palette;
  const otherWords: Readonly<Partial<Record<string, string>>> = also;
  return useCommandLayers()
    .filter(({ scope }) => isAppWide(scope))
    .toReversed()
    .flatMap(({ commands }) => commands)
    .flatMap((command) =>
      listedCommand(command).map((listed) => ({
        ...listed,
        ...(touch && command.id === 'help' && { label: help_touch }),
        also: otherWords[command.id] ?? '',
        to: pages[command.id],
      })),
    );
}

interface PageLink {
  icon: IconName;
  to: string;
  /** A request for the page. A visible page keeps its state. */
  state?: object;
}

const pageLinks: Readonly<Record<keyof typeof t.palette.pages, PageLink>> = {
  create_swarm: { icon: 'swarm', to: '/swarms', state: { create: true } },
  discover: { icon: 'globe', to: '/discover' },
  activity: { icon: 'clock', to: '/activity' },
  keys: { icon: 'lock', to: '/account#keys' },
  sessions: { icon: 'user', to: '/account#sessions' },
  password: { icon: 'lock', to: '/account#profile' },
  preferences: { icon: 'user', to: '/account#preferences' },
  delete_account: { icon: 'trash', to: '/account#delete' },
};

function usePageLinks(): ListedCommand[] {
  const { go, request } = useGo();
  const { pages: names, also } = t.palette;
  return (Object.keys(pageLinks) as (keyof typeof pageLinks)[]).map((id) => {
    const { icon, to, state } = pageLinks[id];
    return { id, icon, label: names[id], also: also[id], ...(state ? request(to, state) : go(to)) };
  });
}

function useGo() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return {
    go: (to: string) => ({ to, run: () => void navigate(to) }),
    /** Opens a page with a request for it, which no link has. */
    request: (to: string, state: object) => ({
      run: () => void navigate(pathname === to ? to + search : to, { state }),
    }),
  };
}

/** The theme, and the other languages. */
function preferenceCommands(): ListedCommand[] {
  const { also, dark, light, language: switchTo } = t.palette;
  const isDark = document.documentElement.classList.contains('dark');
  return [
    {
      id: 'theme',
      icon: isDark ? 'sun' : 'moon',
      label: isDark ? light : dark,
      also: also.theme,
      run: () => theme.set(isDark ? 'light' : 'dark'),
    },
    ...languages
      .filter((each) => each !== language)
      .map((each): ListedCommand => ({
        id: `language ${each}`,
        icon: 'globe',
        label: switchTo(languageName(each, language)),
        also: `${also.language} ${languageName(each)} ${languageName(each, 'en')}`,
        run: () => chooseLanguage(each),
      })),
  ];
}

/** Only if the user has no devices of the demo. */
function useDemoCommand(): ListedCommand[] {
  const navigate = useNavigate();
  const { show } = useToasts();
  const demo = useQuery(demoQuery).data;
  // It takes seconds: meanwhile, the user may be anywhere.
  const add = useChangeDemo({
    method: 'POST',
    onDone() {
      const action = { label: t.start.demo.show, onAction: () => void navigate('/') };
      show({ title: t.start.demo.added, icon: 'check', ...(location.pathname !== '/' && { action }) });
    },
  });
  if (demo?.exists !== false) return [];
  // The palette closes, so a toast says a failure (ui/toasts/outcome-toasts.tsx).
  return [{ id: 'demo', icon: 'plus', label: t.start.demo.fill, run: () => add.mutate() }];
}

function useSignOutCommand(): ListedCommand {
  const { go } = useGo();
  const signOut = useSignOut();
  const { sign_out: label, also } = t.palette;
  // The page asks before it deletes what waits to be sent.
  const does = outbox.list().length > 0 ? go('/account#profile') : { run: () => signOut.mutate() };
  return { id: 'sign-out', icon: 'back', label, also: also.sign_out, ...does };
}

/** Those that use the typed text itself. */
function useCommandsWithTyped(word: string): ListedCommand[] {
  const { go, request } = useGo();
  const { add_named, search_devices, search_invitations } = t.palette;
  const takesTyped = true;
  const search = new URLSearchParams({ q: word });
  return [
    ...useInviteTyped(word),
    { id: 'find-devices', icon: 'search', label: search_devices, takesTyped, ...go(`/?${search}`) },
    { id: 'find-invitations', icon: 'search', label: search_invitations, takesTyped, ...go(`/invitations?${search}`) },
    // Below the searches: Enter after a typing error must not begin a new device.
    { id: 'add-typed', icon: 'plus', label: add_named, takesTyped, ...request('/', { add: word }) },
  ];
}

/** A pasted invite code opens the invite page with this code. */
function useInviteTyped(word: string): ListedCommand[] {
  const { go } = useGo();
  const [line] = readCodes(word).lines;
  if (!line || !('code' in line)) return [];
  const filled = new URLSearchParams({ to: line.code.to, resource: line.code.resource_id });
  return [
    { id: 'invite-typed', icon: 'send', label: t.palette.invite_code, takesTyped: true, ...go(`/invite?${filled}`) },
  ];
}
