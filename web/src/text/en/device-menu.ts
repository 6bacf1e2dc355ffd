/** Commands that the menu of the list names before the names of all commands have loaded. */
export const deviceMenu = {
  begin_selection: 'Select devices',
  select_all: 'Select all devices',
  select_in_view: 'Select all in view',
  reload: 'Reload the list',
};
