import type { Core, Definition } from '../../core/capability.ts';
import { UsageError } from '../../core/command.ts';
import { createDemoTalk } from './demo-talk.ts';
import { createDemo, demoRoutes } from './demo.ts';

interface OfUser {
  user: string;
}

export const demo = {
  create(core: Core) {
    const { userOf, requireUser, devices, service } = core;
    const talk = createDemoTalk({
      ...core,
      send: (message) => service().messages.send(message),
      updateResource: (update) => service().useCases.updateResource(update),
      heard: devices.heard,
    });
    const { make, remove, tidy, read } = createDemo({
      ...core,
      onChanged: talk.isChanged,
    });
    return {
      screens: demoRoutes({ userOf, demo: { make, remove, tidy, read } }),
      everyHour: [{ name: 'demoTidy', run: tidy }],
      pageOpened: talk.watch,
      accountEnded: (user: string) => remove({ user }),
      operator: {
        /** `made` is false if it existed. */
        makeDemo: async ({ user }: OfUser) => ({ made: await make({ user: await requireUser(user) }) }),
        removeDemo: async ({ user }: OfUser) => remove({ user: await requireUser(user) }),
      },
      close: talk.close,
    } as const;
  },
  commands: {
    demo: {
      usage: ['--user NAME [--remove]', 'adds or removes demo devices, swarms and invitations'],
      takes: ['user', 'remove'],
      async run({ args, options: { user, remove }, connect }) {
        if (!user || args.length > 0) throw new UsageError('demo takes --user NAME, and --remove to delete the demo');
        await using connection = await connect();
        const { call } = connection.operator;
        if (remove) {
          await call({ command: 'removeDemo', given: { user } });
          process.stderr.write('Demo removed\n');
        } else {
          const { made } = (await call({ command: 'makeDemo', given: { user } })) as { made: boolean };
          process.stderr.write(made ? 'Demo added\n' : 'The demo already exists\n');
        }
        return 0;
      },
    },
  },
} satisfies Definition;
