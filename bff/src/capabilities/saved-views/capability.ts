import { named, nothing } from '../actions/kinds/kind.ts';
import type { Core, Definition } from '../../core/capability.ts';
import { savedViewRoutes } from './saved-views.routes.ts';
import { removeSavedView } from './saved-views.store.ts';

export const savedViews = {
  create: (core: Core) => ({
    screens: savedViewRoutes(core),
    actionKinds: {
      delete_view: {
        about: nothing,
        item: named,
        run: ({ userId, item: { id } }) => removeSavedView({ db: core.db, id, user_id: userId }),
        doneIfRepeated: ['saved_view.not_found'],
      },
    },
  }),
} satisfies Definition;
