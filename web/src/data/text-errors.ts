/** The errors of texts in forms. The rules are those of the service; checking them here saves the round trip. */
import { codePoints, unprintable, visible } from '@swarmdeck/bff/field-rules';
import { formatNumber, t } from '../text/text.ts';

export function textError(text: string, limit: number): string | undefined {
  if (unprintable.test(text)) return t.text_errors.unprintable;
  return codePoints(text) > limit ? t.text_errors.too_long(formatNumber(limit)) : undefined;
}

export function nameError(name: string, limit: number): string | undefined {
  if (name === '') return t.text_errors.missing_name;
  return visible.test(name) ? textError(name, limit) : t.text_errors.invisible;
}
