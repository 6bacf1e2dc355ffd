import { limits } from '@swarmdeck/bff/limits';
import { formatNumber, t } from '../../../text/text.ts';
import { TextArea } from '../../../ui/field.tsx';
import { createDeviceAction } from './device-action.tsx';

export const { action: setDescription, ResumeJobs } = createDeviceAction<{ description: string }>({
  name: 'set_description',
  icon: 'edit',
  initial: { description: '' },
  concerns: (device, about) => (device.description ?? '') !== about.description,
  Fields({ about: { description } = { description: '' }, items, onChange }) {
    const others = items.filter((device) => device.description && device.description !== description).length;
    return (
      <TextArea
        label={t.bulk.description}
        rows={3}
        maxLength={limits.descriptionLength}
        hint={
          others > 0 ? t.bulk.described(others) : t.shell.text_errors.too_long(formatNumber(limits.descriptionLength))
        }
        value={description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    );
  },
  requestOf: ({ id }, { description }) => ({
    method: 'PUT',
    path: `/api/resources/${id}`,
    body: { description: description || null },
  }),
  keepsRows: true,
  changes: () => [{ type: 'devices.changed', data: {} }],
});
