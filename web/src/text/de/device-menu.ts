export const deviceMenu = {
  begin_selection: 'Geräte auswählen',
  select_all: 'Alle Geräte auswählen',
  select_in_view: 'Alle im Ausschnitt auswählen',
  reload: 'Liste neu laden',
};
