import { plural } from './plural.ts';

/** Texts of several pages, none of which is the home page. */
export const rolesInSentences = { producer: 'sends', consumer: 'receives', both: 'sends and receives' } as const;

export const textErrors = {
  missing_name: 'Enter a name.',
  too_long: (most: string) => `At most ${most} characters.`,
  invisible: 'A name needs at least one visible character.',
  unprintable: 'Remove the control characters.',
} as const;

export const leaving = {
  title: 'Leave without saving?',
  text: (count: number) =>
    plural(count, { one: '# field has unsaved changes.', other: '# fields have unsaved changes.' }),
  save: 'Save and leave',
  stay: 'Stay here',
  leave: 'Leave without saving',
  /** While a save is under way. */
  sent_title: 'Leave while this is being saved?',
  sent_text: 'It has been sent already and may still be saved. A notice will say what has become of it.',
  leave_sent: 'Leave',
  saved: 'The changes of the page that you left are saved',
  waits: 'The changes of the page that you left wait until the server can be reached',
  conflict: 'The changes of the page that you left were not saved',
  conflict_text: 'The same fields were changed elsewhere meanwhile.',
} as const;

export const notFound = {
  title: 'Page not found',
  text: 'The address may be wrong, or the page no longer exists.',
  home: 'Go to your devices',
  shared: 'Nothing to open',
  shared_text: 'What you shared has no link to this server.',
} as const;
