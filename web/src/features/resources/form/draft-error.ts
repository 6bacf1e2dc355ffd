import { limits } from '@swarmdeck/bff/limits';
import { formatNumber, t } from '../../../text/text.ts';
import { ranges } from './device-form.ts';
import type { DraftErrors, DraftField } from './device-form.ts';

/** The sentence under a field: ours by its code, the server's as it said it. */
export function draftError(errors: DraftErrors, field: DraftField): string | undefined {
  const error = errors[field];
  const { errors: say } = t.device.form;
  if (typeof error !== 'string') return error?.detail;
  if (error === 'missing' && field === 'name') return say.missing_name;
  if (error === 'missing' && field === 'machine_type') return say.missing_machine_type;
  if (error === 'too_long') {
    return say.too_long(formatNumber(field === 'name' ? limits.nameLength : limits.descriptionLength));
  }
  if (error === 'out_of_range')
    return say.out_of_range(formatNumber(ranges[field === 'latitude' ? field : 'longitude']));
  return say[error];
}
