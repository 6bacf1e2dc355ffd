import type { Definition } from '../../core/capability.ts';

export const deviceFiles = {
  commands: {
    import: {
      usage: ['--user NAME FILE', 'creates a device for each row of a CSV or GeoJSON file, or updates it by its id'],
      takes: ['user'],
      run: async (asked) => (await import('./import-file.ts')).importFile(asked),
    },
  },
} satisfies Definition;
