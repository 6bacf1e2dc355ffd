import { words } from '../device-words.ts';
import type { DraftErrors, DraftField } from './device-form.ts';

/** The sentence under a field: ours by its code, the server's as it said it. */
export function draftError(errors: DraftErrors, field: DraftField): string | undefined {
  const error = errors[field];
  if (error === 'missing' && field === 'name') return words.form.errors.missing_name;
  if (error === 'missing' && field === 'machine_type') return words.form.errors.missing_machine_type;
  return typeof error === 'object' ? error.detail : error && words.form.errors[error];
}
