import type { DraftErrors, DraftField } from './device-form.ts';
import { words } from './device-words.ts';

/** The sentence under a field: ours by its code, the server's as it said it. */
export function draftError(errors: DraftErrors, field: DraftField): string | undefined {
  const error = errors[field];
  return typeof error === 'object' ? error.detail : error && words.form.errors[error];
}
