import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { language, languageName } from '../../text/language.ts';
import { outbox } from '../../data/outbox/outbox.ts';
import { chooseLanguage } from '../../features/account/language-preference.ts';
import { languages, t } from '../../text/text.ts';
import { useSignOut } from '../../shared/account/sign-out.ts';
import { demoQuery, useChangeDemo } from '../../features/start/demo.api.ts';
import { readCodes } from '../../features/swarms/invite/invite-codes.ts';
import { canShare, share } from '../../ui/share.ts';
import type { CommandId } from '../../ui/commands.ts';
import { useKeyboard } from '../../ui/keys-provider.tsx';
import { theme } from '../../ui/theme-button.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { destinations } from '../destinations.ts';
import type { ListedCommand } from './commands.ts';
import { listedCommand } from './use-page-commands.ts';

/** The commands that work on every page: those with a key, and those of the palette only. `word` is the typed text. */
export function useAppCommands({ word, touch }: { word: string; touch: boolean }): ListedCommand[] {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const keyboard = useKeyboard();
  const anywhere = keyboard
    .layers()
    .filter(({ scope }) => scope === 'everywhere' || scope === 'undo')
    .flatMap(({ commands }) => commands);
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
    ...destinations.flatMap(({ command, to }) => withKey(command, { also: also[command], to })),
    ...withKey('add_device', { also: also.add_device }),
    ...withKey('invite', { also: also.invite, to: '/invite' }),
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
      .map((each): ListedCommand => ({
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
    ...withKey('help', { also: also.help, ...(touch && { label: t.palette.help_touch }) }),
    ...withKey('undo_last'),
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

  /** A command of the table with what the search and a new tab need. */
  function withKey(
    id: CommandId<'everywhere'> | CommandId<'undo'>,
    more: Partial<ListedCommand> = {},
  ): ListedCommand[] {
    const command = anywhere.find((each) => each.id === id);
    return command ? listedCommand(command).map((listed) => ({ ...listed, ...more })) : [];
  }
  function find(to: string) {
    return `${to}?${new URLSearchParams({ q: word })}`;
  }
  /** A pasted invite code opens the invite page with this code. */
  function inviteTyped(): ListedCommand[] {
    const [line] = readCodes(word).lines;
    if (!line || !('code' in line)) return [];
    const filled = new URLSearchParams({ to: line.code.to, resource: line.code.resource_id });
    return [
      { id: 'invite-typed', icon: 'send', label: t.palette.invite_code, takesTyped: true, ...go(`/invite?${filled}`) },
    ];
  }
}
