import type { ReactNode } from 'react';
import { OwnDeviceProvider } from './device-parts.ts';
import { useDevice } from './device-state.ts';

/** A part about the user's own device that another feature has. Nothing for other devices, or if it is gone. */
export function OwnDevice({ children }: { children: ReactNode }) {
  const { resource, user_id } = useDevice('shown');
  if (!useDevice('again').hasParts) return null;
  return (
    <OwnDeviceProvider user_id={user_id} resource_id={resource.id} name={resource.name}>
      {children}
    </OwnDeviceProvider>
  );
}
