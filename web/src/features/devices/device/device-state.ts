import { sharePage } from '../../../shared/share-page.tsx';
import { useCreateAgain } from './use-create-again.ts';
import { useDestroying } from './use-destroying.ts';
import { useDeviceForm } from './use-device-editor.tsx';
import { useDevicePlacing } from './use-device-placing.ts';
import { useDeviceSaving } from './use-device-saving.ts';
import { useRecordsQuestion } from './use-records-question.ts';
import { useShownDevice, type ShownDeviceOptions } from './use-shown-device.ts';

/** The state of the page of a device, a hook for each concern. `saving`: also asks what the form alone does not. */
export const [DeviceState, useDevice] = sharePage(function useDeviceState(options: ShownDeviceOptions) {
  const shown = useShownDevice(options);
  const form = useDeviceForm(shown.read);
  const { draft, conflict } = form;
  const placing = useDevicePlacing();
  const question = useRecordsQuestion(draft);
  const saving = useDeviceSaving({ form, placing, question });
  const again = useCreateAgain({ shown, draft, saving });
  const destroying = useDestroying({ again, saving });
  return { shown, draft, conflict, placing, question, saving, again, destroying };
});
