import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { language, languageName } from '../../text/language.ts';
import { outbox } from '../../data/outbox/outbox.ts';
import { chooseLanguage } from '../../features/account/language-preference.ts';
import { languages, t } from '../../text/text.ts';
import { useSignOut } from '../../features/account/account-page.api.ts';
import { demoQuery, useChangeDemo } from '../../features/start/demo.api.ts';
import { readCodes } from '../../features/swarms/invite/invite-codes.ts';
import { canShare, share } from '../../ui/share.ts';
import { useKeyboard } from '../../ui/keys-provider.tsx';
import { theme } from '../../ui/theme-button.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { destinations } from '../destinations.ts';
import type { Command } from './commands.ts';
import { keyTexts } from '../help/key-sections.ts';

/** The commands that work on every page. `word` is the typed text. */
export function useCommands({ word, touch }: { word: string; touch: boolean }): Command[] {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const keyboard = useKeyboard();
  const toasts = useToasts();
  const copy = useCopy();
  const signOut = useSignOut();
  const { also } = t.palette;
  const dark = document.documentElement.classList.contains('dark');

  const go = (to: string) => ({ to, run: () => void navigate(to) });
  /** Opens a page with a request for it. A visible page keeps its state. */
  const goTo = (to: string, state: unknown) => ({
    run: () => void navigate(pathname === to ? to + search : to, { state }),
  });
  const demo = useQuery(demoQuery).data;
  const addDemo = useChangeDemo({ method: 'POST', onDone: () => void navigate('/') });
  const showError = () => toasts.show({ title: t.palette.not_signed_out, tone: 'bad' });

  return [
    ...destinations.map(({ id, to, icon, keys }): Command => ({
      id: to,
      icon,
      label: t.palette.go(t.shell.destinations[id]),
      also: also.places[keys],
      keys,
      ...go(to),
    })),
    { id: 'add', icon: 'plus', label: t.palette.add, also: also.add, keys: 'c', ...goTo('/', { add: '' }) },
    { id: 'invite', icon: 'send', label: t.palette.invite, also: also.invite, keys: 'i', ...go('/invite') },
    {
      id: 'create-swarm',
      icon: 'swarm',
      label: t.palette.create_swarm,
      also: also.create_swarm,
      ...goTo('/swarms', { create: true }),
    },
    { id: 'import', icon: 'upload', label: t.palette.import_devices, also: also.import_devices, ...go('/import') },
    {
      id: 'export',
      icon: 'download',
      label: t.palette.export_devices,
      also: also.export_devices,
      ...goTo('/', { export: true }),
    },
    { id: 'wall', icon: 'system', label: t.palette.wall, also: also.wall, ...go('/map') },
    { id: 'discover', icon: 'globe', label: t.palette.discover, also: also.discover, ...go('/discover') },
    { id: 'activity', icon: 'clock', label: t.palette.activity, also: also.activity, ...go('/activity') },
    { id: 'keys', icon: 'lock', label: t.palette.keys, also: also.keys, ...go('/account#keys') },
    { id: 'sessions', icon: 'user', label: t.palette.sessions, also: also.sessions, ...go('/account#sessions') },
    { id: 'password', icon: 'lock', label: t.palette.password, also: also.password, ...go('/account#profile') },
    {
      id: 'preferences',
      icon: 'user',
      label: t.palette.preferences,
      also: also.preferences,
      ...go('/account#preferences'),
    },
    {
      id: 'delete',
      icon: 'trash',
      label: t.palette.delete_account,
      also: also.delete_account,
      ...go('/account#delete'),
    },
    {
      id: 'theme',
      icon: dark ? 'sun' : 'moon',
      label: dark ? t.palette.light : t.palette.dark,
      also: also.theme,
      run: () => theme.set(dark ? 'light' : 'dark'),
    },
    ...languages
      .filter((each) => each !== language)
      .map((each): Command => ({
        id: `language ${each}`,
        icon: 'globe',
        label: t.palette.language(languageName(each, language)),
        also: `${also.language} ${languageName(each)} ${languageName(each, 'en')}`,
        run: () => chooseLanguage(each),
      })),
    ...(demo?.exists === false
      ? [
          {
            id: 'demo',
            icon: 'plus',
            label: t.start.demo.fill,
            run: () => void addDemo.mutateAsync().catch(() => toasts.show({ title: t.start.demo.failed, tone: 'bad' })),
          } as const,
        ]
      : []),
    {
      id: 'copy-link',
      icon: 'copy',
      label: t.palette.copy_link,
      also: also.copy_link,
      run: () => copy(location.href, t.palette.link_copied),
    },
    ...(canShare()
      ? [
          {
            id: 'share',
            icon: 'send',
            label: t.palette.share,
            run: () => share({ title: document.title, url: location.href }),
          } as const,
        ]
      : []),
    {
      id: 'help',
      icon: 'info',
      label: touch ? t.palette.help_touch : t.palette.help,
      also: also.help,
      keys: '?',
      run: () => keyboard.press('?'),
    },
    {
      id: 'sign-out',
      icon: 'back',
      label: t.palette.sign_out,
      also: also.sign_out,
      // The page asks before it deletes what waits to be sent.
      ...(outbox.list().length > 0
        ? go('/account#profile')
        : { run: () => void signOut.mutateAsync().catch(showError) }),
    },
    ...inviteTyped(),
    { id: 'add-typed', icon: 'plus', label: t.palette.add_named, takesTyped: true, ...goTo('/', { add: word }) },
    { id: 'find-devices', icon: 'search', label: t.palette.search_devices, takesTyped: true, ...go(find('/')) },
    {
      id: 'find-invitations',
      icon: 'search',
      label: t.palette.search_invitations,
      takesTyped: true,
      ...go(find('/invitations')),
    },
  ];

  function find(to: string) {
    return `${to}?${new URLSearchParams({ q: word })}`;
  }
  /** A pasted invite code opens the invite page with this code. */
  function inviteTyped(): Command[] {
    const [line] = readCodes(word).lines;
    if (!line || !('code' in line)) return [];
    const filled = new URLSearchParams({ to: line.code.to, resource: line.code.resource_id });
    return [
      { id: 'invite-typed', icon: 'send', label: t.palette.invite_code, takesTyped: true, ...go(`/invite?${filled}`) },
    ];
  }
}

/** The shortcuts of a page that are useful as commands, unlike stepping, selecting and closing. */
const icons: Record<string, Command['icon']> = {
  '/': 'search',
  Enter: 'forward',
  e: 'edit',
  a: 'check',
  r: 'close',
  i: 'send',
  m: 'device',
  l: 'list',
  f: 'fit',
};

/** These move the focus, which touch screens do not need. */
const forKeyboard = ['m', 'l'];

/** The commands of the visible page. */
export function usePageCommands({ touch }: { touch: boolean }): Command[] {
  const keyboard = useKeyboard();
  return keyboard
    .layers()
    .filter(({ scope }) => scope !== 'everywhere' && scope !== 'undo')
    .flatMap(({ scope, handlers, menu = [] }) => [
      ...menu.map(({ id, label, icon = 'forward', onSelect }) => ({
        id: `${scope} ${id}`,
        icon,
        label,
        run: onSelect,
      })),
      ...Object.entries(handlers)
        .filter(([keys]) => icons[keys] && !(touch && forKeyboard.includes(keys)))
        .map(([keys, action]) => ({
          id: `${scope} ${keys}`,
          icon: icons[keys]!,
          label: (keyTexts()[scope] as Record<string, string>)[keys]!,
          keys: keys as NonNullable<Command['keys']>,
          run: () => action(new KeyboardEvent('keydown')),
        })),
    ]);
}
