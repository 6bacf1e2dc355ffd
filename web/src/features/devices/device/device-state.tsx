import type { ReactNode } from 'react';
import { CreateAgainProvider } from './use-create-again.ts';
import { DestroyingProvider } from './use-destroying.ts';
import { DeviceEditorProvider } from './use-device-editor.tsx';
import { DevicePlacingProvider } from './use-device-placing.ts';
import { DeviceSavingProvider } from './use-device-saving.ts';
import { RecordsQuestionProvider } from './use-records-question.ts';
import { ShownDeviceProvider, type ShownDevice } from './use-shown-device.ts';

/** The state of the page of a device, a hook for each concern. A hook reads those around it. */
export function DeviceState({ children, ...shown }: ShownDevice & { children: ReactNode }) {
  return (
    <ShownDeviceProvider {...shown}>
      <DeviceEditorProvider>
        <DevicePlacingProvider>
          <RecordsQuestionProvider>
            <DeviceSavingProvider>
              <CreateAgainProvider>
                <DestroyingProvider>{children}</DestroyingProvider>
              </CreateAgainProvider>
            </DeviceSavingProvider>
          </RecordsQuestionProvider>
        </DevicePlacingProvider>
      </DeviceEditorProvider>
    </ShownDeviceProvider>
  );
}
