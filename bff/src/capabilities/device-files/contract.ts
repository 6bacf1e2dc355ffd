/** Devices are read from files: by the browser, and by a command. */
import type { Declaration } from '../../core/declaration.ts';

export const deviceFilesRows = {} as const satisfies Declaration;
