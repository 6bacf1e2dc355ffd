export const streets = {
  unknown_layers:
    'Die Ebenen in {name} sind unbekannt, deshalb wird diese Karte nicht gezeichnet. Die eingebaute Karte wird angezeigt.',
};
