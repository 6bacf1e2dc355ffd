import type { ReactNode } from 'react';
import { OwnDeviceProvider } from './device-parts.ts';
import { useCreateAgain } from './use-create-again.ts';
import { useShownDevice } from './use-shown-device.ts';

/** A part about the user's own device that another feature has. Nothing for other devices, or if it is gone. */
export function OwnDevice({ children }: { children: ReactNode }) {
  const { resource, user_id } = useShownDevice();
  if (!useCreateAgain().hasParts) return null;
  return (
    <OwnDeviceProvider user_id={user_id} resource_id={resource.id} name={resource.name}>
      {children}
    </OwnDeviceProvider>
  );
}
