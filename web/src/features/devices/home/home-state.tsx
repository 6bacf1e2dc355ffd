import type { ReactNode } from 'react';
import { DeviceSelectionProvider } from './use-device-selection.ts';
import { HomeDialogsProvider } from './use-home-dialogs.ts';
import { HomeListProvider } from './use-home-list.ts';
import { HomeMapProvider } from './use-home-map.ts';
import { HomePlacingProvider } from './use-home-placing.ts';
import { HomeSheetProvider } from './use-home-sheet.ts';
import { HomeStartProvider } from './use-home-start.ts';
import { HoverProvider } from '../../../ui/use-hover.ts';
import { OwnerProvider } from './use-owner-of.ts';
import { SearchProvider } from './use-search.ts';
import { SelectedDeviceProvider } from './use-selected-device.ts';

/**
 * The state of the home page, a hook for each concern. A hook reads those around it. `userId`: undefined until it is
 * known.
 */
export function HomeState({ userId, children }: { userId: string | undefined; children: ReactNode }) {
  return (
    <OwnerProvider userId={userId}>
      <HoverProvider>
        <HomeMapProvider>
          <HomeSheetProvider>
            <SearchProvider>
              <HomeListProvider>
                <DeviceSelectionProvider>
                  <SelectedDeviceProvider>
                    <HomeDialogsProvider>
                      <HomePlacingProvider>
                        <HomeStartProvider>{children}</HomeStartProvider>
                      </HomePlacingProvider>
                    </HomeDialogsProvider>
                  </SelectedDeviceProvider>
                </DeviceSelectionProvider>
              </HomeListProvider>
            </SearchProvider>
          </HomeSheetProvider>
        </HomeMapProvider>
      </HoverProvider>
    </OwnerProvider>
  );
}
